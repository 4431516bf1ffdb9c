import type { Deps } from '../deps.ts'
import { isFresh } from '../domain/auth-time.ts'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { type Admitted, admit, findParties } from '../login/admission.ts'
import type { SettingsArrival } from '../login/arrival.ts'
import { type Outcome, page } from '../login/outcome.ts'
import { sendToProvider } from '../login/send-to-provider.ts'
import { type Asked, askable, type PassedParameters } from '../providers/provider.ts'
import { type OpenSession, openSession } from '../session/session.ts'
import { answer, answerFailure, returnAddressOf } from './answer.ts'
import { continueSession } from './continue-session.ts'
import { checkRequest, isRequestError, promptsOf } from './request.ts'

/** Answers an authorization request: an error page, an error to the application, or the way to the provider. */
export async function authorize(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { parameters, cookie, call } = arrival
  const { values } = parameters
  const parties = await findParties({ ...arrival, client_id: values.get('client_id') }, deps)
  const admitted = admit(parties, values.get('redirect_uri'))
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const { login_provider, settings, client, redirect_uri } = admitted
  const address = returnAddressOf(parameters, redirect_uri)
  const request = await checkRequest(parameters, { client, passes: login_provider.passes }, deps)
  if (isRequestError(request)) return answer(address, request, { login: 'client_error', settings }, deps)
  try {
    const open = await openSession(client.site, cookie, deps)
    const session = open?.provider === settings.provider ? open : undefined
    if (promptsOf(parameters).includes('none')) {
      const issued = await continueSession(session, request, client, deps, call)
      return answer(address, issued, { login: 'continued', settings }, deps)
    }
    const asked = whatToAsk(request, values, admitted, session)
    return await sendToProvider(admitted, { ...arrival, request, asked }, deps)
  } catch (error) {
    return answerFailure(error, address, { settings }, call, deps)
  }
}

/** What the provider is asked for. One that does not know `max_age` is to ask the person, unless the last time will do. */
function whatToAsk(
  request: AuthorizationRequest,
  values: ReadonlyMap<string, string>,
  { login_provider, settings }: Pick<Admitted, 'login_provider' | 'settings'>,
  session: OpenSession | undefined,
): Asked {
  const { max_age } = request
  const prompts = askable.filter((prompt) => promptsOf({ values }).includes(prompt))
  const fresh = session !== undefined && isFresh(session.auth_time_ms, request, Date.now())
  const again = max_age !== null && !login_provider.knowsMaxAge && !fresh
  return {
    passed: passedOn(login_provider.passes, settings, values),
    prompts: again ? ['login', ...prompts] : prompts,
    max_age,
  }
}

/** The request's parameters that are for the provider. */
function passedOn(
  passes: PassedParameters,
  { official_account }: ProviderSettings,
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, { official_account_only }] of Object.entries(passes)) {
    const value = values.get(name)
    if (value !== undefined && (official_account || !official_account_only)) passed[name] = value
  }
  return passed
}
