import { authorizeUri } from '../addresses.ts'
import { listLoginChoices } from '../branding/login-choices.ts'
import type { Deps } from '../deps.ts'
import type { Arrival } from '../login/arrival.ts'
import { type Outcome, page } from '../login/outcome.ts'
import { openSession } from '../session/session.ts'
import { findClient } from '../store/clients.ts'
import { answer, answerFailure, returnAddressOf } from './answer.ts'
import { authorize } from './authorize.ts'
import { continueSession } from './continue-session.ts'
import { checkRequest, isRequestError, promptsOf } from './request.ts'

/**
 * Answers an authorization request that names no provider, as clients send it that know discovery alone: the person picks
 * one of the site's. Where there is one alone there is nothing to pick.
 */
export async function chooseProvider(arrival: Arrival, deps: Deps): Promise<Outcome> {
  const { parameters, cookie, call } = arrival
  const { values } = parameters
  const clientId = values.get('client_id')
  const client = clientId === undefined ? undefined : await findClient(deps.knex, clientId)
  if (client === undefined) return page('client_id_invalid')
  const choices = await listLoginChoices(client.site, deps)
  const [first, ...others] = choices
  const redirectUri = values.get('redirect_uri')
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri))
    return page('redirect_uri_invalid', { settings: first })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const address = returnAddressOf(parameters, redirectUri)
  const request = await checkRequest(parameters, { client, passes: {} }, deps)
  if (isRequestError(request)) return answer(address, request, { login: 'client_error', settings: first }, deps)
  if (promptsOf(parameters).includes('none')) {
    try {
      const open = await openSession(client.site, cookie, deps)
      const session = choices.some(({ provider }) => provider === open?.provider) ? open : undefined
      const issued = await continueSession(session, request, client, deps, call)
      return answer(address, issued, { login: 'continued', settings: first }, deps)
    } catch (error) {
      return answerFailure(error, address, { settings: first }, call, deps)
    }
  }
  if (first === undefined) return page('no_provider')
  if (others.length === 0) return authorize({ ...arrival, ...first }, deps)
  const query = new URLSearchParams([...values]).toString()
  const ways = choices.map((choice) => ({
    provider: choice.provider,
    address: `${authorizeUri(deps, choice)}?${query}`,
  }))
  return { kind: 'choice', choice: { application: client.name, ways }, login: 'asked', settings: first }
}
