import { errors } from 'jose'
import { z } from 'zod'
import { limits, loginProviderDescriptions, ProviderUserId } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { type FetchFromProvider, ProviderUnavailable } from '../http-client/fetch.ts'
import { openKeySet } from '../providers/key-set.ts'
import { createAddressMapper } from '../providers/simulator-address.ts'
import { type ProviderEvent, WebhookRejected } from './provider-event.ts'

const Event = z.object({
  type: z.string(),
  sub: ProviderUserId.optional(),
  /** In milliseconds. */
  event_time: z.int().positive().max(8.64e15).optional(),
})
/** The provider sends `events` as JSON text with one event. */
const Claims = z.object({ events: z.string().transform(parseJson).pipe(Event) })

/** The provider uses both spellings. */
const eventKinds = new Map<string, Exclude<ProviderEvent['kind'], 'other'>>([
  ['consent-revoked', 'consent_revoked'],
  ['account-delete', 'account_deleted'],
  ['account-deleted', 'account_deleted'],
])

/** The issuer and key set that sign the provider's ID Tokens and webhooks, or those of the simulator. */
export function getDeviceSigner(simulatorUrl: string | undefined): { readonly issuer: string; readonly jwks: string } {
  const { native } = loginProviderDescriptions.device
  if (native === undefined) throw new Error('The device provider must publish a key set.')
  const toAddress = createAddressMapper(simulatorUrl, 'device')
  return { issuer: toAddress(native.idToken.issuer), jwks: toAddress(native.idToken.jwks) }
}

/**
 * Verifies a webhook of the device provider: a JWT (RFC 7519) signed with the keys that sign its ID Tokens.
 *
 * @throws WebhookRejected, ProviderUnavailable if the keys cannot be loaded
 */
export type ReadDeviceEvent = (payload: string, settings: SiteProviderSettings) => Promise<ProviderEvent>

export function createDeviceEventReader(
  { issuer, jwks }: { readonly issuer: string; readonly jwks: string },
  fetch: FetchFromProvider,
): ReadDeviceEvent {
  const verify = openKeySet(jwks, fetch)
  return async (payload, { client_id, options: { app_id } }) => {
    const verified = await verify(payload, {
      algorithms: ['RS256'],
      issuer,
      // The audience is the primary app of the group that the client belongs to.
      audience: app_id === undefined ? client_id : [client_id, app_id],
      requiredClaims: ['iat'],
      maxTokenAge: limits.provider_webhook_age_seconds,
      clockTolerance: clockToleranceSeconds,
    }).catch(throwVerificationError)
    const claims = Claims.safeParse(verified.payload)
    if (!claims.success) throw new WebhookRejected({ cause: claims.error })
    const { type, sub, event_time } = claims.data.events
    const kind = eventKinds.get(type)
    if (kind === undefined) return { kind: 'other' }
    if (sub === undefined || event_time === undefined) throw new WebhookRejected()
    return { kind, provider_user_id: sub, occurred_at: new Date(event_time) }
  }
}

/** Errors of jose about the provider's keys, not about the webhook. */
const keyErrorCodes = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_MULTIPLE_MATCHING_KEYS']

function throwVerificationError(error: unknown): never {
  if (error instanceof errors.JOSEError && !keyErrorCodes.includes(error.code))
    throw new WebhookRejected({ cause: error })
  throw new ProviderUnavailable({ cause: error })
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
