import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createCounter } from '#runtime'
import { findNoticePause } from '../domain/notice-retries.ts'
import { isQuiet } from '../domain/quiet-hours.ts'
import { type DeliveryFailure, updateDeliveryState } from '../store/notice-channels.ts'
import { type DueMessage, endMessage, listDueChannels, takeDueMessage } from '../store/notices.ts'
import { renderNotices } from './render.ts'
import type { NoticeSender } from './sender.ts'

/** Messages that a process sends at the same time. Our choice. */
const concurrency = 5
/** Channels that one look finds. Our choice. */
const channelsAtOnce = 100

export interface NoticeDeliveryDeps {
  readonly knex: Knex
  readonly sender: NoticeSender
  readonly consoleUrl: string
  readonly now: () => Date
  readonly count: CountAttempt
}

/** Counts an attempt for metrics. */
export type CountAttempt = (message: DueMessage, failure: DeliveryFailure | undefined, isLast: boolean) => void

export function createAttemptCounter(registry: Registry): CountAttempt {
  const counter = createCounter(registry, 'sociallogin_notice_attempts_total')
  return ({ channel, notices }, failure, isLast) => {
    const result = failure === undefined ? 'delivered' : failure.error === 'rejected' ? 'rejected' : 'failed'
    const labels = { channel: channel.email_address === null ? 'chat' : 'email', result }
    for (const { kind } of notices) {
      counter.inc({ ...labels, kind })
      if (failure !== undefined && isLast) counter.inc({ ...labels, kind, result: 'given_up' })
    }
  }
}

/** Sends a message to each channel with due notices. @returns how many messages were sent */
export async function deliverNotices(deps: NoticeDeliveryDeps): Promise<number> {
  const channelIds = await listDueChannels(deps.knex, deps.now(), channelsAtOnce)
  const queue = channelIds.values()
  let sent = 0
  const sendNext = async () => {
    for (const channelId of queue) if (await deliverTo(channelId, deps)) sent++
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, channelIds.length) }, sendNext))
  return sent
}

/** @returns false if there was nothing to send, or the channel has quiet hours */
async function deliverTo(channelId: string, deps: NoticeDeliveryDeps): Promise<boolean> {
  const { knex, sender, consoleUrl, now, count } = deps
  const at = now()
  const isHeld = (channel: Parameters<typeof isQuiet>[0]) => isQuiet(channel, at)
  const message = await takeDueMessage(knex, channelId, { now: at, isHeld, findPause: findNoticePause })
  if (message === undefined) return false
  const { channel, notices, message_id, attempts } = message
  const failure = await sender.send(channel, renderNotices(channel, notices, consoleUrl), message_id)
  const isLast = findNoticePause(attempts) === undefined
  count(message, failure, isLast)
  // A process that ends before this sends the message again, with the same ID.
  if (failure === undefined || isLast) await endMessage(knex, message_id, failure === undefined ? now() : null)
  await updateDeliveryState(knex, channelId, failure, now())
  return true
}
