import type { Context, Parameters } from '#http'
import { equalSecrets } from '#runtime'
import type { Client } from '../../clients.ts'
import { OAuthError } from '../../oauth.ts'
import { rawBasicCredentials } from '../../raw-basic.ts'
import type { Portal } from './state.ts'

/**
 * The client of a form, by Basic authentication or by fields of the form. Id and secret are taken from Basic as they stand:
 * who form-encodes them first (RFC 6749 2.3.1) has another id here.
 *
 * @throws OAuthError `invalid_client`
 */
export function authenticateClient(ctx: Context, { values }: Parameters, { clients }: Portal): Client {
  const { client_id, client_secret } = rawBasicCredentials(ctx) ?? {
    client_id: values.get('client_id'),
    client_secret: values.get('client_secret'),
  }
  const client = clients.find('portal', client_id)
  if (client === undefined || client_secret === undefined || !equalSecrets(client_secret, client.client_secret)) {
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return client
}

/** @throws OAuthError `invalid_request` */
export function required(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required.`)
  return value
}
