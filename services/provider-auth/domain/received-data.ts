import type { ReceivedData } from '#contracts'
import type { RegisteredClient } from './client.ts'
import type { Scope } from './scopes.ts'

/** What a client receives of a user for these scopes and by its settings, each once and sorted. */
export function listReceivedData(
  scope: readonly string[],
  { metadata_claims, consents_claim }: Pick<RegisteredClient, 'metadata_claims' | 'consents_claim'>,
): ReceivedData[] {
  const granted = new Set<string>(scope)
  const byScope = Object.values(dataOfScopes).filter((name) => granted.has(name))
  const consents: readonly ReceivedData[] = consents_claim ? ['consents'] : []
  return [...byScope, ...metadata_claims, ...consents].toSorted()
}

/** Compiles only with every scope. */
const dataOfScopes: { readonly [S in Scope]: ReceivedData & S } = {
  openid: 'openid',
  profile: 'profile',
  email: 'email',
  address: 'address',
  phone: 'phone',
}
