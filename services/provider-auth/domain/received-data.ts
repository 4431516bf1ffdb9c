import type { ReceivedData } from '#contracts'
import type { RegisteredClient } from './client.ts'
import { type Scope, userMetadataScope } from './scopes.ts'

/** What a client receives of a user for these scopes and by its settings, each once and sorted. */
export function listReceivedData(
  scope: readonly string[],
  {
    metadata_claims,
    consents_claim,
    user_metadata_write,
  }: Pick<RegisteredClient, 'metadata_claims' | 'consents_claim' | 'user_metadata_write'>,
): ReceivedData[] {
  const granted = new Set<string>(scope)
  const byScope = Object.values(dataOfScopes).filter((name) => granted.has(name))
  const consents: readonly ReceivedData[] = consents_claim ? ['consents'] : []
  const metadata = new Set<ReceivedData>(metadata_claims)
  // With this scope, the client can read the metadata at its own endpoint.
  if (user_metadata_write && granted.has(userMetadataScope)) metadata.add('user_metadata')
  return [...byScope, ...metadata, ...consents].toSorted()
}

/** Compiles only with every scope. */
const dataOfScopes: { readonly [S in Scope]: ReceivedData & S } = {
  openid: 'openid',
  profile: 'profile',
  email: 'email',
  address: 'address',
  phone: 'phone',
}
