import { z } from 'zod'
import { ProviderUserId } from '#contracts'
import type { ReadEventToken } from '../../domain/provider-event.ts'
import { type ProviderEvent, WebhookRejected } from '../../domain/provider-event.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { createTokenVerifier, type EventSigner } from './signed-token.ts'

/** Claims of a Security Event Token (RFC 8417 2.2): events by URI, in practice one. */
const Claims = z.object({
  iat: z.int().positive().max(8.64e12),
  jti: z.string().min(1).max(255),
  events: z.record(z.string(), z.unknown()),
})

/** The user, by issuer and subject; `reason` only of disabled accounts. */
const Event = z.object({
  subject: z.object({ iss: z.string(), sub: ProviderUserId }),
  reason: z.enum(['hijacking', 'bulk-account']).optional().catch(undefined),
})

const risc = 'https://schemas.openid.net/secevent/risc/event-type/'

/** Event types of OpenID RISC and OAuth that have an effect. */
const eventKinds = new Map<string, Exclude<ProviderEvent['kind'], 'other'>>([
  [`${risc}account-disabled`, 'account_disabled'],
  [`${risc}account-enabled`, 'account_enabled'],
  [`${risc}account-purged`, 'account_deleted'],
  [`${risc}sessions-revoked`, 'sessions_revoked'],
  ['https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked', 'consent_revoked'],
])

/**
 * Reads the notices of the search provider's Cross-Account Protection: Security Event Tokens (RFC 8417) signed with the keys that
 * sign its ID Tokens. Their audience is a client ID of the project, also that of a native app.
 */
export function createSecurityEventReader({ issuer, jwks }: EventSigner, fetch: FetchFromProvider): ReadEventToken {
  // The provider names itself with a slash here, and without one in ID Tokens.
  const issuers = [issuer, `${issuer}/`]
  const verify = createTokenVerifier(jwks, issuers, fetch)
  return async (token, { client_id, options: { app_client_ids } }) => {
    const audiences = [client_id, ...(app_client_ids?.split(',') ?? [])]
    const claims = Claims.safeParse(await verify(token, audiences))
    if (!claims.success) throw new WebhookRejected({ cause: claims.error })
    const { iat, jti, events } = claims.data
    const [[type, content] = ['', undefined]] = Object.entries(events)
    const kind = eventKinds.get(type)
    if (kind === undefined) return { kind: 'other' }
    const event = Event.safeParse(content)
    if (!event.success || !issuers.includes(event.data.subject.iss)) throw new WebhookRejected({ cause: event.error })
    const { subject, reason } = event.data
    // The time has whole seconds: a login in the same second is not later.
    return { kind, provider_user_id: subject.sub, occurred_at: new Date(iat * 1_000 + 999), id: jti, reason }
  }
}
