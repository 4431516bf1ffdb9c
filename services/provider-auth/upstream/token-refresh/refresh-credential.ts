import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { isDatabaseUnavailable, type Reader, transaction } from '#database'
import type { Encryptor, Logger } from '#runtime'
import type { ProviderTokens } from '../../domain/credential.ts'
import type { FindProviderClient } from '../../domain/provider-client.ts'
import { ReauthenticationRequired } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { getRefreshRetryDelay } from '../../domain/token-expiry.ts'
import { decryptCredential, type EncryptedCredential } from '../../store/encrypted-credentials.ts'
import { findProviderSettings } from '../../store/provider-settings.ts'
import {
  extendRefreshLock,
  lockForRefresh,
  recordReauthNeeded,
  recordRefreshFailure,
  updateRefreshedTokens,
} from '../../store/token-refreshes.ts'
import { enqueueProviderRevocation } from '../revocation/enqueue.ts'

export interface RefreshDeps {
  readonly knex: Knex
  readonly reader: Reader
  readonly encryptor: Encryptor
  readonly findProviderClient: FindProviderClient
  readonly logger: Logger
}

/**
 * How long the lock of a replica that died prevents the next refresh. A running refresh extends it: using a refresh token
 * twice can end the end user's grant. Our choice.
 */
const lockSeconds = 20
const extendIntervalMs = 3_000

/** Delays between attempts to store refreshed tokens. Our choice. */
const storeRetryDelaysMs = [100, 300, 1_000, 3_000, 3_000, 3_000, 3_000]

/**
 * `taken`: another replica is refreshing, or has refreshed, the tokens. `superseded`: a login stored other tokens
 * meanwhile or the link was deleted, so the refreshed tokens are discarded.
 */
interface RefreshResult {
  readonly outcome: 'renewed' | 'needs_reauth' | 'failed' | 'superseded' | 'taken'
  readonly refreshed?: EncryptedCredential
}

/** Refreshes a credential's tokens at the provider (RFC 6749 6) and stores them before any caller receives them. */
export async function refreshCredential(stored: EncryptedCredential, parts: RefreshDeps): Promise<RefreshResult> {
  const { knex, logger } = parts
  const { site, provider } = stored
  // Before the lock is taken: a failure of our database is not one of the provider, after which refreshes pause.
  const settings = await findProviderSettings(parts, { site, provider })
  const locked = await lockForRefresh(knex, stored, lockSeconds)
  if (locked === undefined) return { outcome: 'taken' }
  using _ = keepLock(stored, parts)
  let tokens: ProviderTokens
  try {
    tokens = await requestTokens(stored, settings, parts)
  } catch (error) {
    if (error instanceof ReauthenticationRequired) {
      await recordReauthNeeded(knex, stored)
      return { outcome: 'needs_reauth' }
    }
    logger.warn({ error, provider }, 'token refresh failed')
    await recordRefreshFailure(knex, stored, getRefreshRetryDelay(locked.failed_refreshes, Math.random()))
    return { outcome: 'failed' }
  }
  const refreshed = await storeTokensWithRetry(stored, tokens, parts)
  return refreshed === undefined ? { outcome: 'superseded' } : { outcome: 'renewed', refreshed }
}

/** Extends the lock until disposed. */
function keepLock(stored: EncryptedCredential, { knex, logger }: RefreshDeps): Disposable {
  const warn = (error: unknown) => logger.warn({ error }, 'the lock of a token refresh was not extended')
  const timer = setInterval(() => void extendRefreshLock(knex, stored, lockSeconds).catch(warn), extendIntervalMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

async function requestTokens(
  stored: EncryptedCredential,
  settings: SiteProviderSettings | undefined,
  { encryptor, findProviderClient }: RefreshDeps,
): Promise<ProviderTokens> {
  const { provider_user_id } = stored
  const loginProvider = settings && findProviderClient(settings)
  if (!settings?.enabled || loginProvider?.refresh === undefined)
    throw new Error('The provider settings of this site are missing or disabled.')
  const current = await decryptCredential(encryptor, stored)
  const tokens = await loginProvider.refresh(settings, current, provider_user_id)
  return {
    ...tokens,
    access_secret: tokens.access_secret ?? current.access_secret,
    refresh_token: tokens.refresh_token ?? current.refresh_token,
  }
}

/** Retries while Postgres is unavailable: a replaced refresh token exists only here. */
async function storeTokensWithRetry(
  stored: EncryptedCredential,
  tokens: ProviderTokens,
  parts: RefreshDeps,
): Promise<EncryptedCredential | undefined> {
  for (const pauseMs of storeRetryDelaysMs) {
    try {
      return await storeOrRevokeTokens(stored, tokens, parts)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      parts.logger.warn({ error, provider: stored.provider }, 'storing refreshed tokens failed; retrying')
      await delay(pauseMs)
    }
  }
  return storeOrRevokeTokens(stored, tokens, parts)
}

/** Stores refreshed tokens, or revokes them at the provider if the credential was replaced or deleted meanwhile. */
async function storeOrRevokeTokens(stored: EncryptedCredential, tokens: ProviderTokens, parts: RefreshDeps) {
  return transaction(parts.knex, async (trx) => {
    const refreshed = await updateRefreshedTokens(trx, parts.encryptor, stored, tokens)
    if (refreshed === undefined) await enqueueProviderRevocation(trx, parts, [{ ...stored, ...tokens }])
    return refreshed
  })
}
