import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { limits, ProviderUserId } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { type FetchFromProvider, ProviderUnavailable, providerTimeoutMs } from '../http-client/fetch.ts'
import { deviceDescription } from '../providers/device.ts'
import { mapOidcToSimulator } from '../providers/oidc-description.ts'
import { type ProviderEvent, WebhookRejected } from './provider-event.ts'

const Event = z.object({
  type: z.string(),
  sub: ProviderUserId.optional(),
  /** In milliseconds. */
  event_time: z.int().positive().max(8.64e15).optional(),
})
/** The provider sends `events` as JSON text, of one event. */
const Claims = z.object({ events: z.string().transform(parseJson).pipe(Event) })

/** The provider has been seen to spell it both ways. */
const eventKinds = new Map<string, Exclude<ProviderEvent['kind'], 'other'>>([
  ['consent-revoked', 'consent_revoked'],
  ['account-delete', 'account_deleted'],
  ['account-deleted', 'account_deleted'],
])

/** Whose notices are believed: who signs the provider's ID Tokens, or the simulator in its place. */
export function getDeviceSigner(simulatorUrl: string | undefined): { readonly issuer: string; readonly jwks: string } {
  const { issuer, id_token } =
    simulatorUrl === undefined ? deviceDescription : mapOidcToSimulator(deviceDescription, simulatorUrl)
  if (id_token.alg !== 'RS256') throw new Error('The device provider signs under keys of its own.')
  return { issuer, jwks: id_token.jwks }
}

/**
 * Reads a notice of the device provider, a JWT (RFC 7519) under the keys that sign its ID Tokens.
 *
 * @throws NoticeRefused, ProviderUnavailable when the keys cannot be had
 */
export type ReadDeviceEvent = (payload: string, settings: ProviderSettings) => Promise<ProviderEvent>

export function createDeviceEventReader(
  { issuer, jwks }: { readonly issuer: string; readonly jwks: string },
  fetch: FetchFromProvider,
): ReadDeviceEvent {
  // Held for all notices, so that unknown keys cost the provider one request in half a minute at most.
  const keys = createRemoteJWKSet(new URL(jwks), { timeoutDuration: providerTimeoutMs, [customFetch]: fetch })
  return async (payload, { client_id, options: { app_id } }) => {
    const verified = await jwtVerify(payload, keys, {
      algorithms: ['RS256'],
      issuer,
      // Notices go to the app that leads the group to which the client belongs.
      audience: app_id === undefined ? client_id : [client_id, app_id],
      requiredClaims: ['iat'],
      maxTokenAge: limits.notice_age_seconds,
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

/** What jose says of the provider's keys rather than of the notice. */
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
