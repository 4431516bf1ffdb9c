import { z } from 'zod'
import { ProviderUserId } from '#contracts'
import type { ReadEventToken } from '../../domain/provider-event.ts'
import { WebhookRejected } from '../../domain/provider-event.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { createTokenVerifier, type EventSigner } from './signed-token.ts'

const Event = z.object({
  type: z.string(),
  sub: ProviderUserId.optional(),
  /** In milliseconds. */
  event_time: z.int().positive().max(8.64e15).optional(),
})
/** The provider sends `events` as JSON text with one event. */
const Claims = z.object({ events: z.string().transform(parseJson).pipe(Event) })

/** The provider uses both spellings. */
const eventKinds = new Map<string, 'consent_revoked' | 'account_deleted'>([
  ['consent-revoked', 'consent_revoked'],
  ['account-delete', 'account_deleted'],
  ['account-deleted', 'account_deleted'],
])

/** Reads webhooks of the device provider, which are signed with the keys that sign its ID Tokens. */
export function createDeviceEventReader({ issuer, jwks }: EventSigner, fetch: FetchFromProvider): ReadEventToken {
  const verify = createTokenVerifier(jwks, [issuer], fetch)
  return async (token, { client_id, options: { app_id } }) => {
    // The audience is the primary app of the group that the client belongs to.
    const claims = Claims.safeParse(await verify(token, app_id === undefined ? [client_id] : [client_id, app_id]))
    if (!claims.success) throw new WebhookRejected({ cause: claims.error })
    const { type, sub, event_time } = claims.data.events
    const kind = eventKinds.get(type)
    if (kind === undefined) return { kind: 'other' }
    if (sub === undefined || event_time === undefined) throw new WebhookRejected()
    return { kind, provider_user_id: sub, occurred_at: new Date(event_time) }
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
