import type { Handler } from '#bus'
import type { Credential, Provider, providerAuth } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { openCredential, openUndamaged } from '../store/sealed-credentials.ts'

type Procedure = (typeof providerAuth.procedures)['readCredentials']

/** Providers whose tokens no credential object shows: they are not renewed, and damaged ones are ignored. */
const never_handed_out: ReadonlySet<Provider> = new Set(['device', 'shopping'])

export const readCredentials: Handler<Procedure, Deps> = async (user, { findCredentials, freshen, sealer }, call) => {
  const found = (await findCredentials(user)) ?? []
  const opened = await Promise.all(
    found.map(async (sealed) =>
      never_handed_out.has(sealed.provider)
        ? openUndamaged(sealer, sealed)
        : openCredential(sealer, await freshen(sealed, call)),
    ),
  )
  const credentials: Partial<Record<Provider, Credential>> = {}
  for (const stored of opened) {
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
