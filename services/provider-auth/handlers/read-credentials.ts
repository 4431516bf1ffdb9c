import type { Handler } from '#bus'
import type { Credential, Provider, providerAuth } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { openCredential } from '../store/credentials.ts'

type Procedure = (typeof providerAuth.procedures)['readCredentials']

export const readCredentials: Handler<Procedure, Deps> = async (user, { findCredentials, sealer }) => {
  const credentials: Partial<Record<Provider, Credential>> = {}
  for (const sealed of (await findCredentials(user)) ?? []) {
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
