import type { Handler } from '#bus'
import type { Credential, Provider, providerAuth } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { openCredential } from '../store/credentials.ts'

type Procedure = (typeof providerAuth.procedures)['readCredentials']

/** Providers whose tokens no credential object shows: to renew them would only use up the provider's patience. */
const never_handed_out: ReadonlySet<Provider> = new Set(['device', 'shopping'])

export const readCredentials: Handler<Procedure, Deps> = async (user, { findCredentials, freshen, sealer }, call) => {
  const found = (await findCredentials(user)) ?? []
  const fresh = await Promise.all(
    found.map((stored) => (never_handed_out.has(stored.provider) ? stored : freshen(stored, call))),
  )
  const credentials: Partial<Record<Provider, Credential>> = {}
  for (const sealed of fresh) {
    const stored = await openCredential(sealer, sealed)
    const { access_token, access_secret, refresh_token } = stored
    credentials[stored.provider] = {
      access_token,
      access_secret,
      refresh_token,
      expires_at: toTimestampOrNull(stored.expires_at),
      created_at: toTimestamp(stored.created_at),
      updated_at: toTimestamp(stored.updated_at),
    }
  }
  return { credentials }
}
