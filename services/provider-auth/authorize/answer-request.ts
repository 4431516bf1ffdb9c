import type { Deps } from '../deps.ts'
import type { PassedParameters } from '../providers/provider.ts'
import type { RegisteredClient } from '../store/clients.ts'
import type { Arrival } from './arrival.ts'
import { continueSession } from './continue-session.ts'
import { failureOf } from './failure.ts'
import { readIdTokenHint } from './id-token-hint.ts'
import { isFailure, type Outcome } from './outcome.ts'
import {
  type AuthorizationRequest,
  findRequestError,
  placementOf,
  promptsOf,
  readRequest,
  stateToReturn,
} from './request.ts'
import { locationOf } from './respond.ts'
import { type OpenSession, openSession } from './session.ts'

/** What is known of a request once its client and redirect address are. */
interface Requested {
  readonly client: RegisteredClient
  readonly redirect_uri: string
  readonly passes: PassedParameters
  readonly settings?: Outcome['settings']
}

/** Where a request leads. */
interface Ways {
  /** Whether a session may answer it. */
  readonly accepts: (session: OpenSession) => boolean
  /** With the person: to a provider, or to the choice of one. */
  readonly goOn: (request: AuthorizationRequest, session: OpenSession | undefined) => Promise<Outcome>
}

/** Answers a request whose every refusal travels to the redirect address. */
export async function answerRequest(
  { client, redirect_uri, passes, settings }: Requested,
  { accepts, goOn }: Ways,
  { parameters, cookie, call }: Arrival,
  deps: Deps,
): Promise<Outcome> {
  const address = { redirect_uri, placement: placementOf(parameters), state: stateToReturn(parameters) }
  const answer = (told: Readonly<Record<string, string>>, login: Outcome['login']): Outcome => {
    return { kind: 'redirect', location: locationOf(address, told, deps.auth_url), login, settings }
  }
  const hinted = await readIdTokenHint(parameters.values.get('id_token_hint'), client.client_id, deps)
  const asked = { ...parameters, client, passes, hinted }
  const refused = findRequestError(asked)
  if (refused !== undefined) return answer(refused, 'client_error')
  const request = readRequest(asked)
  try {
    const session = await openSession(client.site, cookie, deps)
    if (!promptsOf(parameters).includes('none')) return await goOn(request, session)
    const accepted = session !== undefined && accepts(session) ? session : undefined
    return answer(await continueSession(accepted, request, client, deps, call), 'continued')
  } catch (error) {
    const { parameters: told, login } = failureOf(error, request)
    if (isFailure(login)) deps.logger.error({ error, request_id: call.request_id }, 'a login could not begin')
    return answer(told, login)
  }
}
