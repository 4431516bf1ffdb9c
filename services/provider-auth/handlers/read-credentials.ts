import type { Handler } from '#bus'
import type { Credential, Provider, providerAuth } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { openCredential, openUndamaged, type StoredCredential } from '../store/sealed-credentials.ts'

type Procedure = (typeof providerAuth.procedures)['readCredentials']

/** Providers whose tokens no credential object shows: they are not renewed, and damaged ones are ignored. */
const never_handed_out: ReadonlySet<Provider> = new Set(['device', 'shopping'])

export const readCredentials: Handler<Procedure, Deps> = async ({ link_ids }, { findCredential, ...deps }, call) => {
  const { freshen, sealer } = deps
  const found = await Promise.all(link_ids.map((link_id) => findCredential(link_id)))
  const opened = await Promise.all(
    found
      .filter((sealed) => sealed !== undefined)
      .map(async (sealed) =>
        never_handed_out.has(sealed.provider)
          ? openUndamaged(sealer, sealed)
          : openCredential(sealer, await freshen(sealed, call)),
      ),
  )
  return { credentials: Object.fromEntries(opened.map((stored) => [stored.link_id, toCredential(stored)])) }
}

function toCredential(stored: StoredCredential): Credential {
  const { access_token, access_secret, refresh_token } = stored
  return {
    access_token,
    access_secret,
    refresh_token,
    expires_at: toTimestampOrNull(stored.expires_at),
    created_at: toTimestamp(stored.created_at),
    updated_at: toTimestamp(stored.updated_at),
  }
}
