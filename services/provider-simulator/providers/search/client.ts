import type { Context, Parameters } from '#http'
import { equalSecrets } from '#runtime'
import type { Client } from '../../clients.ts'
import { OAuthError } from '../../oauth.ts'
import type { Search } from './state.ts'

/**
 * The client of a form, by Basic authentication or by fields of the form (RFC 6749 2.3.1).
 *
 * @throws OAuthError `invalid_client`
 */
export function authenticateClient(ctx: Context, { values }: Parameters, { clients }: Search): Client {
  const { client_id, client_secret } = basicCredentials(ctx) ?? {
    client_id: values.get('client_id'),
    client_secret: values.get('client_secret'),
  }
  const client = clients.find('search', client_id)
  if (client === undefined) throw new OAuthError('invalid_client', 'The OAuth client was not found.', 401)
  if (client_secret === undefined || !equalSecrets(client_secret, client.client_secret)) {
    throw new OAuthError('invalid_client', 'The provided client secret is invalid.', 401)
  }
  return client
}

/** Both parts are form-encoded before they are joined (RFC 6749 2.3.1). */
function basicCredentials(ctx: Context): { client_id: string; client_secret: string } | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(ctx.get('Authorization'))?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  try {
    const [client_id, client_secret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    )
    return client_id && client_secret ? { client_id, client_secret } : undefined
  } catch {
    throw new OAuthError('invalid_client', 'The Authorization header cannot be read.', 401)
  }
}

/** @throws OAuthError `invalid_request` */
export function required(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `Missing required parameter: ${name}`)
  return value
}
