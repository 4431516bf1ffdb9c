import { errors, type JWTPayload } from 'jose'
import { limits, loginProviderDescriptions } from '#contracts'
import { clockToleranceSeconds } from '#http'
import { WebhookRejected } from '../../domain/provider-event.ts'
import { type FetchFromProvider, ProviderUnavailable } from '../http-client/fetch.ts'
import { openKeySet } from '../providers/key-set.ts'
import { createAddressMapper } from '../providers/simulator-address.ts'

/** Who signs the provider's ID Tokens and webhooks. */
export interface EventSigner {
  readonly issuer: string
  readonly jwks: string
}

/** The provider's issuer and key set, or those of the simulator. */
export function getEventSigner(provider: 'device' | 'search', simulatorUrl: string | undefined): EventSigner {
  const { native } = loginProviderDescriptions[provider]
  if (native === undefined) throw new Error(`${provider} must publish a key set.`)
  const { issuer, jwks } = native.idToken
  const toAddress = createAddressMapper(simulatorUrl, provider)
  return { issuer: toAddress(issuer), jwks: toAddress(jwks) }
}

/** Verifies tokens of the issuers that are addressed to one of the audiences, and not older than webhooks may be. */
export function createTokenVerifier(jwks: string, issuers: string[], fetch: FetchFromProvider) {
  const verify = openKeySet(jwks, fetch)
  return async (token: string, audiences: string[]): Promise<JWTPayload> => {
    const { payload } = await verify(token, {
      algorithms: ['RS256'],
      issuer: issuers,
      audience: audiences,
      requiredClaims: ['iat'],
      maxTokenAge: limits.provider_webhook_age_seconds,
      clockTolerance: clockToleranceSeconds,
    }).catch(throwVerificationError)
    return payload
  }
}

/** Errors of jose about the provider's keys, not about the webhook. */
const keyErrorCodes = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_MULTIPLE_MATCHING_KEYS']

function throwVerificationError(error: unknown): never {
  if (error instanceof errors.JOSEError && !keyErrorCodes.includes(error.code))
    throw new WebhookRejected({ cause: error })
  throw new ProviderUnavailable({ cause: error })
}
