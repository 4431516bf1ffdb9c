import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { isDatabaseUnavailable, transaction } from '#database'
import type { Encryptor, Logger } from '#runtime'
import type { ProviderTokens } from '../domain/credential.ts'
import { getRefreshRetryDelay } from '../domain/token-expiry.ts'
import { enqueueProviderRevocation } from '../provider-revocation/enqueue.ts'
import type { FindProviderClient } from '../providers/index.ts'
import { ReauthenticationRequired } from '../providers/provider.ts'
import { decryptCredential, type EncryptedCredential } from '../store/encrypted-credentials.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import {
  lockForRefresh,
  recordReauthNeeded,
  recordRefreshFailure,
  updateRefreshedTokens,
} from '../store/token-refreshes.ts'

export interface RefreshDeps {
  readonly knex: Knex
  readonly encryptor: Encryptor
  readonly findProviderClient: FindProviderClient
  readonly logger: Logger
}

/**
 * How long a replica has a renewal to itself: longer than the provider and the storing may take, so that the time ends
 * first only for a replica that died. A refresh token used twice can end the person's grant. Our choice.
 */
const lockSeconds = 60

/** Pauses before storing is tried again. Our choice. */
const storeRetryDelaysMs = [100, 300, 1_000, 3_000, 10_000]

/**
 * What came of a renewal. `taken`: somebody else is at it or was faster; `superseded`: a login brought other tokens
 * meanwhile, or the link is gone, and what the provider gave is of no use.
 */
interface RefreshResult {
  readonly outcome: 'renewed' | 'needs_reauth' | 'failed' | 'superseded' | 'taken'
  readonly refreshed?: EncryptedCredential
}

/** Has the provider renew a credential's tokens, and stores them before anybody gets them. */
export async function refreshCredential(stored: EncryptedCredential, parts: RefreshDeps): Promise<RefreshResult> {
  const { knex, logger } = parts
  const { provider } = stored
  const locked = await lockForRefresh(knex, stored, lockSeconds)
  if (locked === undefined) return { outcome: 'taken' }
  let tokens: ProviderTokens
  try {
    tokens = await requestTokens(stored, parts)
  } catch (error) {
    if (error instanceof ReauthenticationRequired) {
      await recordReauthNeeded(knex, stored)
      return { outcome: 'needs_reauth' }
    }
    logger.warn({ error, provider }, 'a provider did not renew tokens')
    await recordRefreshFailure(knex, stored, getRefreshRetryDelay(locked.failed_refreshes, Math.random()))
    return { outcome: 'failed' }
  }
  const refreshed = await storeTokensWithRetry(stored, tokens, parts)
  return refreshed === undefined ? { outcome: 'superseded' } : { outcome: 'renewed', refreshed }
}

async function requestTokens(
  stored: EncryptedCredential,
  { knex, encryptor, findProviderClient }: RefreshDeps,
): Promise<ProviderTokens> {
  const { site, provider, provider_user_id } = stored
  const settings = await findProviderSettings({ knex, encryptor }, { site, provider })
  const loginProvider = findProviderClient(provider)
  if (!settings?.enabled || loginProvider?.refresh === undefined)
    throw new Error('The provider is not set up for the site.')
  const current = await decryptCredential(encryptor, stored)
  const tokens = await loginProvider.refresh(settings, current, provider_user_id)
  return {
    ...tokens,
    access_secret: tokens.access_secret ?? current.access_secret,
    refresh_token: tokens.refresh_token ?? current.refresh_token,
  }
}

/** Stores again and again while Postgres is away: a refresh token that was replaced exists nowhere but here. */
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
      parts.logger.warn({ error, provider: stored.provider }, 'renewed tokens are not stored yet')
      await delay(pauseMs)
    }
  }
  return storeOrRevokeTokens(stored, tokens, parts)
}

/** Tokens that nobody holds any more are ended at the provider, unless the person is there with others. */
async function storeOrRevokeTokens(stored: EncryptedCredential, tokens: ProviderTokens, parts: RefreshDeps) {
  return transaction(parts.knex, async (trx) => {
    const refreshed = await updateRefreshedTokens(trx, parts.encryptor, stored, tokens)
    if (refreshed === undefined) await enqueueProviderRevocation(trx, parts, [{ ...stored, ...tokens }])
    return refreshed
  })
}
