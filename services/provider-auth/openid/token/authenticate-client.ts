import type { RejectionReason } from '#contracts'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { parseClientAuthentication } from '../../domain/client-authentication.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import type { CountClientFailure } from './client-failures.ts'

/**
 * Authenticates the client of a token request; public clients need no proof. The secret is compared before failures are
 * counted, so that an attacker who guesses from the same address cannot lock out the client. That does not help
 * guessing: secrets have 256 random bits, and unknown clients and wrong secrets take the same steps.
 *
 * @param address the caller's, if it is known
 * @throws OAuthError `invalid_client`, `invalid_request`, or 429 after too many failures
 */
export async function authenticateClient(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
  address: string | undefined,
  { siteSettings, countFailure }: Pick<Deps, 'siteSettings'> & { readonly countFailure: CountClientFailure },
): Promise<RegisteredClient> {
  const presented = parseClientAuthentication(authorization, {
    client_id: form.get('client_id'),
    client_secret: form.get('client_secret'),
  })
  const invalidClient = (reason: RejectionReason, site?: number) =>
    new OAuthError('client_invalid', { challenge: authorization === undefined ? undefined : 'Basic realm="token"' })
      .withReason(reason)
      .ofSite(site)
  if ('error' in presented) {
    if (presented.error === 'client_id_missing') throw new OAuthError('parameter_missing', { parameter: 'client_id' })
    if (presented.error === 'two_methods') throw new OAuthError('two_client_authentications')
    throw invalidClient('client_secret_missing')
  }
  const { client_id, client_secret } = presented
  const [client, hashes] = await Promise.all([
    siteSettings.findClient(client_id),
    siteSettings.listSecretHashes(client_id),
  ])
  const isAuthenticated =
    client_secret === undefined ? client?.kind === 'public' : matchesOne(hashSecret(client_secret), hashes)
  if (client !== undefined && isAuthenticated) return client
  await countFailure({ client_id, address })
  if (client === undefined) throw invalidClient('client_unknown')
  throw invalidClient(client_secret === undefined ? 'client_secret_missing' : 'client_secret_wrong', client.site)
}

function matchesOne(hash: string, hashes: readonly string[]): boolean {
  return hashes.filter((live) => equalSecrets(live, hash)).length > 0
}
