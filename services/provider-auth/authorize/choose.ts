import { authorizeUri } from '../addresses.ts'
import { listLoginChoices } from '../branding/login-choices.ts'
import type { Deps } from '../deps.ts'
import { findClient } from '../store/clients.ts'
import { answerRequest } from './answer-request.ts'
import type { Arrival } from './arrival.ts'
import { begin } from './begin.ts'
import { type Outcome, page } from './outcome.ts'

/**
 * Answers an authorization request that names no provider, as clients send it that know discovery alone: the person picks
 * one of the site's. Where there is one alone there is nothing to pick.
 */
export async function choose(arrival: Arrival, deps: Deps): Promise<Outcome> {
  const { values } = arrival.parameters
  const client_id = values.get('client_id')
  const client = client_id === undefined ? undefined : await findClient(deps.knex, client_id)
  if (client === undefined) return page('client_id_invalid')
  const choices = await listLoginChoices(client.site, deps)
  const [first, ...others] = choices
  const redirect_uri = values.get('redirect_uri')
  if (redirect_uri === undefined || !client.redirect_uris.includes(redirect_uri))
    return page('redirect_uri_invalid', { settings: first })

  const goOn = async (): Promise<Outcome> => {
    if (first === undefined) return page('no_provider')
    if (others.length === 0) return begin({ ...arrival, ...first }, deps)
    const query = new URLSearchParams([...values]).toString()
    const ways = choices.map((choice) => ({
      provider: choice.provider,
      address: `${authorizeUri(deps, choice)}?${query}`,
    }))
    return { kind: 'choice', choice: { application: client.name, ways }, login: 'asked', settings: first }
  }
  const accepts = (session: { provider: string }) => choices.some(({ provider }) => provider === session.provider)
  return answerRequest({ client, redirect_uri, passes: {}, settings: first }, { accepts, goOn }, arrival, deps)
}
