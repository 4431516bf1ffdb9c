import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Encryptor, type Logger, startCleanup } from '#runtime'
import { decryptChatUrl, encryptChatUrl } from '../notices/chat-urls.ts'
import { createAttemptCounter, deliverNotices, type NoticeDeliveryDeps } from '../notices/deliver-notices.ts'
import { deleteOldKeyNetworks } from '../store/key-networks.ts'
import { createLeaseHolder, takeLease } from '../store/leases.ts'
import { deleteUnconfirmedChannels, listUrlsOfOtherKeys, replaceUrl } from '../store/notice-channels.ts'
import { deleteOldNotices } from '../store/notices.ts'
import { detectConditions } from './conditions/detect.ts'
import type { SourceDeps } from './conditions/sources.ts'

/** Pause between looks for due notices. Our choice. */
const pollMs = 1_000
/** Pause after an error of our own. Our choice. */
const errorPauseMs = 10_000
/** Pause between looks for conditions. Our choice. */
const detectionMs = 60_000
/** Another replica looks for conditions when the one that did has ended for so long. Two at the same time do no harm. */
const leaseSeconds = 90
const reencryptionMs = 60_000
/** How long a running attempt may take when this process ends. Its message is sent again by another one. Our choice. */
const stopMs = 3_000

interface NoticeDeps extends SourceDeps, Omit<NoticeDeliveryDeps, 'count'> {
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt' | 'head'>
  readonly logger: Logger
  readonly registry: Registry
}

/**
 * Looks for conditions, in one replica, and delivers notices, in every replica, until disposed. A message is taken by one replica, so
 * delivery needs no lease.
 */
export function startNotices(deps: NoticeDeps): AsyncDisposable {
  const { knex, now, logger, registry, encryptor } = deps
  const holder = createLeaseHolder()
  const stopping = new AbortController()
  const delivery = { ...deps, count: createAttemptCounter(registry) }
  /** Repeats work until this is disposed. The work returns the pause after it, in milliseconds. */
  const repeat = async (work: () => Promise<number>, failure: string) => {
    while (!stopping.signal.aborted) {
      const pauseMs = await work().catch((error: unknown) => {
        logger.warn({ error }, failure)
        return errorPauseMs
      })
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const working = Promise.all([
    repeat(async () => ((await deliverNotices(delivery)) > 0 ? 0 : pollMs), 'notices not delivered; retrying'),
    repeat(async () => {
      if (await takeLease(knex, { name: 'notices', holder, seconds: leaseSeconds })) await detectConditions(deps)
      return detectionMs
    }, 'conditions for notices not looked for; retrying'),
    repeat(async () => {
      await reencryptChatUrls(knex, encryptor)
      return reencryptionMs
    }, 'URLs of chats not encrypted again; retrying'),
  ])
  const cleanup = startCleanup('notices', () => cleanUpNotices(knex, now()), { logger, registry })
  return {
    async [Symbol.asyncDispose]() {
      cleanup[Symbol.dispose]()
      stopping.abort()
      await Promise.race([working, delay(stopMs, undefined, { ref: false })])
    },
  }
}

/** Deletes addresses that were not confirmed, delivered notices, and networks that were not used for long. */
export async function cleanUpNotices(knex: NoticeDeps['knex'], now: Date): Promise<void> {
  await deleteUnconfirmedChannels(knex, now)
  await deleteOldNotices(knex, now)
  await deleteOldKeyNetworks(knex, now)
}

/** Encrypts URLs of chats with the current key of the ring, so that earlier keys can be removed. */
export async function reencryptChatUrls(knex: NoticeDeps['knex'], encryptor: NoticeDeps['encryptor']): Promise<void> {
  for (const stored of await listUrlsOfOtherKeys(knex, encryptor.head())) {
    const url = await decryptChatUrl(encryptor, stored.channel_id, stored.chat_url_encrypted)
    await replaceUrl(knex, stored, encryptChatUrl(encryptor, stored.channel_id, url))
  }
}
