import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { NoticeKind } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { addSeconds } from '../domain/time.ts'
import type { StoredChannel } from './notice-channels.ts'

/** Values of the texts of a notice, and parts of its link. They never contain data of end users. */
export type NoticeDetails = Readonly<Record<string, string | number | Readonly<Record<string, string>>>>

/** What happened in an account. */
export interface NewNotice {
  readonly account: string
  /** Null: it is about the account. Channels for single sites do not get it. */
  readonly site_id: string | null
  readonly kind: NoticeKind
  readonly details: NoticeDetails
}

export interface Condition extends Pick<NewNotice, 'details'> {
  readonly site_id: string
  /** Identifies the condition within the account. */
  readonly key: string
}

/** Adds a notice for each channel that is confirmed and wants it. A condition that a channel knows already adds none. */
async function insertNotice(
  trx: Knex.Transaction,
  { account, site_id, kind, details }: NewNotice,
  condition: string | null,
  now: Date,
): Promise<void> {
  await trx.raw(
    `insert into notices (notice_id, channel_id, account, site_id, kind, condition, details, created_at, next_attempt_at)
     select gen_random_uuid(), channel_id, account, :site_id, :kind, :condition, cast(:details as jsonb),
       cast(:now as timestamptz), cast(:now as timestamptz)
     from notice_channels
     where account = :account and confirmed_at is not null and :kind = any(kinds)
       and (sites is null or :site_id = any(sites))
     order by channel_id
     on conflict do nothing`,
    { account, site_id, kind, condition, details: JSON.stringify(details), now },
  )
}

/** Adds a notice of something that happened once, in the transaction in which it happens. */
export async function notifyOnce(trx: Knex.Transaction, notice: NewNotice, now: Date): Promise<void> {
  await insertNotice(trx, notice, null, now)
}

/**
 * Compares the conditions of one kind in an account with those that were known: adds notices for new ones, and ends those that are not
 * listed any more, so that they are new when they recur.
 */
export async function updateConditions(
  knex: Knex,
  { account, kind, conditions }: { account: string; kind: NoticeKind; conditions: readonly Condition[] },
  now: Date,
): Promise<void> {
  await transaction(knex, async (trx) => {
    for (const { site_id, key, details } of conditions)
      await insertNotice(trx, { account, site_id, kind, details }, key, now)
    await trx('notices')
      .where({ account, kind })
      .whereNotNull('condition')
      .whereNull('ended_at')
      .whereRaw('not condition = any(?)', [conditions.map(({ key }) => key)])
      .update({ ended_at: now })
  })
}

export interface StoredNotice extends NewNotice {
  readonly notice_id: string
  readonly channel_id: string
  readonly created_at: Date
  readonly attempts: number
}

/** The notices of one message, with their channel. */
export interface DueMessage {
  readonly message_id: string
  readonly channel: StoredChannel
  readonly notices: readonly StoredNotice[]
  /** Attempts with this one. */
  readonly attempts: number
}

/** IDs of channels with due notices, those that wait longest first. */
export async function listDueChannels(knex: Knex, now: Date, limit: number): Promise<string[]> {
  return knex('notices')
    .where('next_attempt_at', '<=', now)
    .groupBy('channel_id')
    .orderByRaw('min(next_attempt_at)')
    .limit(limit)
    .pluck('channel_id')
}

/**
 * Takes the next message of a channel: one whose attempt failed, or else all new notices in one message. The attempt is stored before it is
 * made, so that a process that ends meanwhile does not send it again and again, and no other process sends it at the same time.
 *
 * @param isHeld whether the channel has quiet hours
 * @param findPause seconds from an attempt to the next one; undefined: it is the last one
 * @returns undefined if there is nothing to send now
 */
export async function takeDueMessage(
  knex: Knex,
  channelId: string,
  {
    now,
    isHeld,
    findPause,
  }: {
    readonly now: Date
    readonly isHeld: (channel: StoredChannel) => boolean
    readonly findPause: (attempts: number) => number | undefined
  },
): Promise<DueMessage | undefined> {
  return transaction(knex, async (trx) => {
    const channel = await trx('notice_channels')
      .where({ channel_id: channelId })
      .whereNotNull('confirmed_at')
      .forUpdate()
      .skipLocked()
      .first<StoredChannel | undefined>('*')
    if (channel === undefined) return undefined
    const due = () => trx('notices').where({ channel_id: channelId }).where('next_attempt_at', '<=', now)
    if (isHeld(channel)) {
      await due().update({ next_attempt_at: addSeconds(now, heldSeconds) })
      return undefined
    }
    const first: { message_id: string | null } | undefined = await due()
      .orderByRaw('message_id nulls last, created_at')
      .first('message_id')
    if (first === undefined) return undefined
    const notices = await due()
      .where({ message_id: first.message_id })
      .orderBy(['created_at', 'notice_id'])
      .limit(limits.notices_per_message)
      .select<StoredNotice[]>('*')
    const messageId = first.message_id ?? randomUUID()
    const attempts = (notices[0]?.attempts ?? 0) + 1
    const pause = findPause(attempts) ?? lastAttemptSeconds
    await trx('notices')
      .whereIn(
        'notice_id',
        notices.map(({ notice_id }) => notice_id),
      )
      .update({ message_id: messageId, attempts, next_attempt_at: addSeconds(now, pause) })
    return { message_id: messageId, channel, notices, attempts }
  })
}

/** How long after the end of quiet hours a notice arrives at most. Our choice. */
const heldSeconds = 60

/** If the result of the last attempt was not stored, it is made again after this time. */
const lastAttemptSeconds = 3_600

/** Stores that a message was delivered, or (null) that there are no more attempts. */
export async function endMessage(knex: Knex, messageId: string, deliveredAt: Date | null): Promise<void> {
  await knex('notices').where({ message_id: messageId }).update({ next_attempt_at: null, delivered_at: deliveredAt })
}

/** Deletes notices that are no longer needed: neither waiting, nor of a condition that lasts. */
export async function deleteOldNotices(knex: Knex, now: Date): Promise<void> {
  await knex('notices')
    .where('created_at', '<', addSeconds(now, -limits.stored_notices_seconds))
    .whereNull('next_attempt_at')
    .whereRaw('(condition is null or ended_at is not null)')
    .delete()
}
