import type { Deps } from '../deps.ts'
import { isFresh } from '../domain/auth-time.ts'
import { type Asked, askable, type PassedParameters } from '../providers/provider.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { type Admitted, admit, findParties } from './admission.ts'
import { answerRequest } from './answer-request.ts'
import type { SettingsArrival } from './arrival.ts'
import { type Outcome, page } from './outcome.ts'
import { type AuthorizationRequest, promptsOf } from './request.ts'
import { sendToProvider } from './send-to-provider.ts'
import type { OpenSession } from './session.ts'

/** Answers an authorization request: an error page, an error to the application, or the way to the provider. */
export async function begin(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { values } = arrival.parameters
  const parties = await findParties({ ...arrival, client_id: values.get('client_id') }, deps)
  const admitted = admit(parties, values.get('redirect_uri'))
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings })

  const { login_provider, settings } = admitted
  const ways = {
    accepts: ({ provider }: OpenSession) => provider === settings.provider,
    goOn: (request: AuthorizationRequest, session: OpenSession | undefined) => {
      const asked = whatToAsk(request, values, admitted, session)
      return sendToProvider(admitted, { ...arrival, request, asked }, deps)
    },
  }
  return answerRequest({ ...admitted, passes: login_provider.passes }, ways, arrival, deps)
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
  const fresh = session?.provider === settings.provider && isFresh(session.auth_time_ms, request, Date.now())
  const again = max_age !== null && !login_provider.knows_max_age && !fresh
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
