import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { readClientAuthentication } from '../domain/client-authentication.ts'
import { invalidRequest, OAuthError } from '../http/oauth-error.ts'
import { findClient, listSecretHashes, type RegisteredClient } from '../store/clients.ts'
import type { Failures } from './failures.ts'

/**
 * The client that makes a token request, which has proved to be it unless it is a public one.
 *
 * @param address the caller's, where it is known
 * @throws OAuthError `invalid_client`, `invalid_request`, and 429 after too many failures
 */
export async function authenticateClient(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
  address: string | undefined,
  { knex, failures }: Pick<Deps, 'knex'> & { readonly failures: Failures },
): Promise<RegisteredClient> {
  const presented = readClientAuthentication(authorization, {
    client_id: form.get('client_id'),
    client_secret: form.get('client_secret'),
  })
  const refusal = invalidClient(authorization !== undefined)
  if ('refused' in presented) {
    if (presented.refused === 'client_id_missing') throw invalidRequest('client_id is required.')
    if (presented.refused === 'two_methods') throw invalidRequest('More than one way of client authentication is used.')
    throw refusal
  }
  const { client_id, client_secret } = presented
  const attempt = { client_id, address }
  await failures.refuse(attempt)
  const [client, hashes] = await Promise.all([findClient(knex, client_id), listSecretHashes(knex, client_id)])
  const proved = client_secret === undefined ? client?.kind === 'public' : matchesOne(hashSecret(client_secret), hashes)
  if (client !== undefined && proved) return client
  await failures.count(attempt)
  throw refusal
}

function matchesOne(hash: string, hashes: readonly string[]): boolean {
  return hashes.filter((live) => equalSecrets(live, hash)).length > 0
}

function invalidClient(by_header: boolean): OAuthError {
  const description = 'client_id or client_secret is invalid.'
  return new OAuthError(401, 'invalid_client', description, by_header ? 'Basic realm="token"' : undefined)
}
