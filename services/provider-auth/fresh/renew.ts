import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { isDatabaseUnavailable, transaction } from '#database'
import type { Encryptor, Logger } from '#runtime'
import type { Tokens } from '../domain/credential.ts'
import { pauseAfterFailure } from '../domain/freshness.ts'
import { enqueueLeaving } from '../leaving/enqueue.ts'
import type { FindLoginProvider } from '../providers/index.ts'
import { ReauthNeeded } from '../providers/provider.ts'
import { type EncryptedCredential, openCredential } from '../store/encrypted-credentials.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import { claimRenewal, updateFailed, updateNeedsReauth, updateRenewed } from '../store/renewals.ts'

export interface RenewalParts {
  readonly knex: Knex
  readonly encryptor: Encryptor
  readonly findLoginProvider: FindLoginProvider
  readonly logger: Logger
}

/**
 * How long a replica has a renewal to itself: longer than the provider and the storing may take, so that the time ends
 * first only for a replica that died. A refresh token used twice can end the person's grant. Our choice.
 */
const claimSeconds = 60

/** Pauses before storing is tried again. Our choice. */
const storeAgainMs = [100, 300, 1_000, 3_000, 10_000]

/**
 * What came of a renewal. `taken`: somebody else is at it or was faster; `superseded`: a login brought other tokens
 * meanwhile, or the link is gone, and what the provider gave is of no use.
 */
interface Renewal {
  readonly outcome: 'renewed' | 'needs_reauth' | 'failed' | 'superseded' | 'taken'
  readonly renewed?: EncryptedCredential
}

/** Has the provider renew a credential's tokens, and stores them before anybody gets them. */
export async function renew(stored: EncryptedCredential, parts: RenewalParts): Promise<Renewal> {
  const { knex, logger } = parts
  const { provider } = stored
  const claimed = await claimRenewal(knex, stored, claimSeconds)
  if (claimed === undefined) return { outcome: 'taken' }
  let tokens: Tokens
  try {
    tokens = await askProvider(stored, parts)
  } catch (error) {
    if (error instanceof ReauthNeeded) {
      await updateNeedsReauth(knex, stored)
      return { outcome: 'needs_reauth' }
    }
    logger.warn({ error, provider }, 'a provider did not renew tokens')
    await updateFailed(knex, stored, pauseAfterFailure(claimed.failed_renewals, Math.random()))
    return { outcome: 'failed' }
  }
  const renewed = await store(stored, tokens, parts)
  return renewed === undefined ? { outcome: 'superseded' } : { outcome: 'renewed', renewed }
}

async function askProvider(
  stored: EncryptedCredential,
  { knex, encryptor, findLoginProvider }: RenewalParts,
): Promise<Tokens> {
  const { site, provider, provider_user_id } = stored
  const settings = await findProviderSettings({ knex, encryptor }, { site, provider })
  const loginProvider = findLoginProvider(provider)
  if (!settings?.enabled || loginProvider?.refresh === undefined)
    throw new Error('The provider is not set up for the site.')
  const held = await openCredential(encryptor, stored)
  const tokens = await loginProvider.refresh(settings, held, provider_user_id)
  return {
    ...tokens,
    access_secret: tokens.access_secret ?? held.access_secret,
    refresh_token: tokens.refresh_token ?? held.refresh_token,
  }
}

/** Stores again and again while Postgres is away: a refresh token that was replaced exists nowhere but here. */
async function store(
  stored: EncryptedCredential,
  tokens: Tokens,
  parts: RenewalParts,
): Promise<EncryptedCredential | undefined> {
  for (const pauseMs of storeAgainMs) {
    try {
      return await storeOrLeave(stored, tokens, parts)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      parts.logger.warn({ error, provider: stored.provider }, 'renewed tokens are not stored yet')
      await delay(pauseMs)
    }
  }
  return storeOrLeave(stored, tokens, parts)
}

/** Tokens that nobody holds any more are ended at the provider, unless the person is there with others. */
async function storeOrLeave(stored: EncryptedCredential, tokens: Tokens, parts: RenewalParts) {
  return transaction(parts.knex, async (trx) => {
    const renewed = await updateRenewed(trx, parts.encryptor, stored, tokens)
    if (renewed === undefined) await enqueueLeaving(trx, parts, [{ ...stored, ...tokens }])
    return renewed
  })
}
