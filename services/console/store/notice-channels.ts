import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { NoticeChannel, NoticeError } from '#admin-api'
import { limits } from '#contracts'
import { translateConstraintErrors } from '#database'
import { hashSecret, newToken } from '#runtime'
import { addSeconds } from '../domain/time.ts'

/** What owners set of a channel. */
export type ChannelSettings = Pick<
  NoticeChannel,
  'name' | 'kinds' | 'sites' | 'language' | 'time_zone' | 'quiet_from' | 'quiet_to'
>

/** Where a channel leads to: an address, or the URL of a chat, encrypted. */
export type ChannelTarget = Pick<NoticeChannel, 'email_address' | 'chat_host' | 'chat_format'> & {
  readonly chat_url_encrypted: Buffer | null
}

export interface StoredChannel extends ChannelSettings, ChannelTarget {
  readonly channel_id: string
  readonly account: string
  readonly link_sent_at: Date | null
  readonly confirm_until: Date | null
  readonly confirmed_at: Date | null
  readonly last_delivered_at: Date | null
  readonly last_failed_at: Date | null
  readonly last_error: NoticeError | null
  readonly last_status: number | null
  readonly created_at: Date
  readonly revision: number
}

interface ChannelKey {
  readonly account: string
  readonly channel_id: string
}

const waiting = `(select count(*)::integer from notices n
  where n.channel_id = notice_channels.channel_id and n.next_attempt_at is not null) as waiting`

/** Lists the channels of an account by name, with the number of notices that are not delivered. */
export async function listChannels(
  knex: Knex,
  key: { readonly account: string; readonly channel_id?: string },
): Promise<(StoredChannel & { readonly waiting: number })[]> {
  return knex('notice_channels')
    .where(key)
    .orderBy(['name', 'channel_id'])
    .select<(StoredChannel & { readonly waiting: number })[]>('*', knex.raw(waiting))
}

/** Locks the channels of an account until the transaction ends, also against new ones. @returns how many there are */
export async function lockChannels(trx: Knex.Transaction, account: string): Promise<number> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('notice_channels'), hashtext(?))`, [account])
  return Number((await trx('notice_channels').where({ account }).count({ count: '*' }).first())?.count ?? 0)
}

/** Locks a channel until the transaction ends; undefined if the account does not have it. */
export async function lockChannel(trx: Knex.Transaction, key: ChannelKey): Promise<StoredChannel | undefined> {
  return trx('notice_channels').where(key).forUpdate().first<StoredChannel | undefined>('*')
}

/** Inserts a channel; a chat needs no confirmation. @throws Fault `already_exists` if the account has one of this name */
export async function insertChannel(
  trx: Knex.Transaction,
  channel: ChannelSettings & ChannelTarget & ChannelKey,
  now: Date,
): Promise<void> {
  const confirmedAt = channel.email_address === null ? now : null
  await rejectKnownName(trx('notice_channels').insert({ ...channel, confirmed_at: confirmedAt, created_at: now }))
}

/** Changes a locked channel and increments its revision. @throws Fault `already_exists` */
export async function updateChannel(
  trx: Knex.Transaction,
  key: ChannelKey,
  changes: Partial<ChannelSettings & ChannelTarget>,
): Promise<void> {
  await rejectKnownName(
    trx('notice_channels')
      .where(key)
      .update({ ...changes, revision: trx.raw('revision + 1') }),
  )
}

export async function deleteChannel(trx: Knex.Transaction, key: ChannelKey): Promise<void> {
  await trx('notice_channels').where(key).delete()
}

/** Deletes the channels of an account that no longer exists, with their notices. */
export async function deleteChannelsOf(knex: Knex, account: string): Promise<void> {
  await knex('notice_channels').where({ account }).delete()
}

/** Replaces the link that confirms the address of a locked channel. @returns its token */
export async function replaceLink(trx: Knex.Transaction, key: ChannelKey, now: Date): Promise<string> {
  const token = newToken()
  await trx('notice_channels')
    .where(key)
    .update({
      token_hash: hashSecret(token),
      link_sent_at: now,
      confirm_until: addSeconds(now, limits.notice_confirmation_seconds),
    })
  return token
}

/** Finds the channel of a link that is still valid. */
export async function findChannelOfLink(knex: Knex, token: string, now: Date): Promise<StoredChannel | undefined> {
  return knex('notice_channels')
    .where({ token_hash: hashSecret(token) })
    .where('confirm_until', '>', now)
    .first<StoredChannel | undefined>('*')
}

/** Confirms the address of a link, once. @returns the channel; undefined if the link is not valid any more */
export async function confirmChannel(
  trx: Knex.Transaction,
  token: string,
  now: Date,
): Promise<StoredChannel | undefined> {
  const [channel] = await trx('notice_channels')
    .where({ token_hash: hashSecret(token) })
    .where('confirm_until', '>', now)
    .update({ confirmed_at: now, token_hash: null, confirm_until: null, revision: trx.raw('revision + 1') })
    .returning<StoredChannel[]>('*')
  return channel
}

/** Deletes addresses that were not confirmed in time. */
export async function deleteUnconfirmedChannels(knex: Knex, now: Date): Promise<void> {
  await knex('notice_channels').whereNull('confirmed_at').where('confirm_until', '<=', now).delete()
}

/** Names the result of a message. `undefined`: it was delivered. */
export interface DeliveryFailure {
  readonly error: NoticeError
  /** Of the response; null: there was none. */
  readonly status: number | null
}

/** Stores the result of a message to a channel, for its owners. */
export async function updateDeliveryState(
  knex: Knex,
  channelId: string,
  failure: DeliveryFailure | undefined,
  now: Date,
): Promise<void> {
  const state =
    failure === undefined
      ? { last_delivered_at: now, last_failed_at: null, last_error: null, last_status: null }
      : { last_failed_at: now, last_error: failure.error, last_status: failure.status }
  await knex('notice_channels').where({ channel_id: channelId }).update(state)
}

/** Lists accounts with channels that get notices. */
export async function listNotifiedAccounts(knex: Knex): Promise<string[]> {
  return knex('notice_channels').whereNotNull('confirmed_at').distinct().orderBy('account').pluck('account')
}

/** Lists chats whose URL is not encrypted with the current key. */
export async function listUrlsOfOtherKeys(
  knex: Knex,
  head: Buffer,
): Promise<{ channel_id: string; chat_url_encrypted: Buffer }[]> {
  return knex('notice_channels')
    .whereRaw('substring(chat_url_encrypted from 1 for ?) <> ?', [head.length, head])
    .limit(100)
    .select('channel_id', 'chat_url_encrypted')
}

/** Replaces an encrypted URL, unless it was changed meanwhile. */
export async function replaceUrl(
  knex: Knex,
  { channel_id, chat_url_encrypted }: { channel_id: string; chat_url_encrypted: Buffer },
  encryptedAgain: Buffer,
): Promise<void> {
  await knex('notice_channels').where({ channel_id, chat_url_encrypted }).update({ chat_url_encrypted: encryptedAgain })
}

export function newChannelId(): string {
  return randomUUID()
}

function rejectKnownName<T>(work: PromiseLike<T>): Promise<T> {
  return translateConstraintErrors(work, { notice_channels_name_unique: 'already_exists' })
}
