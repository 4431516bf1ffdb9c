import { type Context, readForm } from '#http'
import type { SimulatedClient } from '../client-registry.ts'
import type { Identity } from '../oauth/dialect.ts'
import { SimulatedError } from '../oauth/errors.ts'
import type { ProviderConsent } from '../oauth/grants.ts'
import { identify, type OAuthServer } from '../oauth/server.ts'
import { requireParameter } from '../oauth/token.ts'
import { parseName } from '../user-name.ts'

/** A change of the account of an end user who uses an application. */
interface AccountChange {
  readonly client: SimulatedClient
  readonly consent: ProviderConsent
  readonly identity: Identity
  /** The parameters of the request. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * Reads a form of the simulator's own, after which the application `client_id` receives a webhook: `user` changes their account, or
 * the provider does.
 *
 * @throws SimulatedError if the user does not use the application
 */
export async function readAccountChange(ctx: Context, server: OAuthServer): Promise<AccountChange> {
  const { values } = await readForm(ctx.req)
  const client = server.clients.find(server.dialect.name, requireParameter(values, 'client_id', server))
  if (client === undefined) throw createChangeError('invalid_client', 'The client_id is unknown.')
  const read = parseName(values.get('user'))
  if ('problem' in read) throw createChangeError('invalid_request', `user: ${read.problem}`)
  const { name } = read
  const { client_id } = client
  const consent = server.grants.consents.find(client_id, name)
  if (consent === undefined) throw createChangeError('not_found', 'The user does not use the application.', 404)
  return { client, consent, identity: identify({ client_id, name }, server), values }
}

export function createChangeError(error: string, description: string, status = 400): SimulatedError {
  return new SimulatedError({ status, error, description })
}
