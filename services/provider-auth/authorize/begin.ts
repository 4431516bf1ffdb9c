import type { Deps } from '../deps.ts'
import { isFresh } from '../domain/auth-time.ts'
import { type Asked, askable, type PassedParameters } from '../providers/provider.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { type Admitted, admit, findParties } from './admission.ts'
import type { SettingsArrival } from './arrival.ts'
import { continueSession } from './continue-session.ts'
import { failureOf } from './failure.ts'
import { readIdTokenHint } from './id-token-hint.ts'
import { type Outcome, page } from './outcome.ts'
import {
  type AuthorizationRequest,
  findRequestError,
  placementOf,
  promptsOf,
  readRequest,
  stateToReturn,
} from './request.ts'
import { locationOf } from './respond.ts'
import { sendToProvider } from './send-to-provider.ts'
import { type OpenSession, openSession } from './session.ts'

/** Answers an authorization request: an error page, an error to the application, or the way to the provider. */
export async function begin(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { provider, parameters, cookie, call } = arrival
  const { values } = parameters
  const parties = await findParties({ ...arrival, client_id: values.get('client_id') }, deps)
  const admitted = admit(parties, values.get('redirect_uri'))
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const { redirect_uri, client, login_provider, settings } = admitted
  const address = { redirect_uri, placement: placementOf(parameters), state: stateToReturn(parameters) }
  const answer = (told: Readonly<Record<string, string>>, login: Outcome['login']): Outcome => {
    return { kind: 'redirect', location: locationOf(address, told, deps.auth_url), login, settings }
  }
  const hinted = await readIdTokenHint(values.get('id_token_hint'), client.client_id, deps)
  const asked = { ...parameters, client, passes: login_provider.passes, hinted }
  const refused = findRequestError(asked)
  if (refused !== undefined) return answer(refused, 'refused')
  const request = readRequest(asked)
  try {
    const session = await openSession(settings.site, cookie, deps)
    if (promptsOf(parameters).includes('none')) {
      const own = session?.provider === settings.provider ? session : undefined
      return answer(await continueSession(own, request, client, deps, call), 'continued')
    }
    const wanted = whatToAsk(request, values, admitted, session)
    return await sendToProvider(admitted, { request, asked: wanted, cookie }, deps)
  } catch (error) {
    const { parameters: told, login } = failureOf(error, request)
    if (login === 'failed')
      deps.logger.error({ error, provider, request_id: call.request_id }, 'a login could not begin')
    return answer(told, login)
  }
}

/** What the provider is asked for. One that does not know `max_age` is to ask the person, unless the last time will do. */
function whatToAsk(
  request: AuthorizationRequest,
  values: ReadonlyMap<string, string>,
  { login_provider, settings }: Pick<Admitted, 'login_provider' | 'settings'>,
  session: OpenSession | undefined,
): Asked {
  const { scope, max_age } = request
  const prompts = askable.filter((prompt) => promptsOf({ values }).includes(prompt))
  const fresh = session?.provider === settings.provider && isFresh(session.auth_time_ms, request, Date.now())
  const again = max_age !== null && !login_provider.knows_max_age && !fresh
  return {
    scope,
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
