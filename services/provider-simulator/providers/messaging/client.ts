import type { Parameters } from '#http'
import { equalSecrets } from '#runtime'
import type { Client } from '../../clients.ts'
import { OAuthError } from '../../oauth.ts'
import type { Messaging } from './state.ts'

/**
 * The client of a form. Its secret counts in the form body alone: what stands in an `Authorization` header is not looked at.
 *
 * @throws OAuthError `invalid_request`, `invalid_client`
 */
export function authenticateClient({ values }: Parameters, { clients }: Messaging): Client {
  const client = clients.find('messaging', required(values, 'client_id'))
  const secret = required(values, 'client_secret')
  if (client === undefined) throw new OAuthError('invalid_client', 'invalid client_id')
  if (!equalSecrets(secret, client.client_secret)) throw new OAuthError('invalid_client', 'invalid client_secret')
  return client
}

/** @throws OAuthError `invalid_request` */
export function required(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`)
  return value
}
