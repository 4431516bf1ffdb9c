import type { Knex } from 'knex'
import { type ChatFormat, createReason, type noticeProcedures } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { encryptChatUrl } from '../notices/chat-urls.ts'
import { renderConfirmation, renderTest } from '../notices/render.ts'
import { findChatFormat } from '../notices/send-chat.ts'
import {
  type ChannelTarget,
  deleteChannel,
  insertChannel,
  lockChannel,
  lockChannels,
  newChannelId,
  replaceLink,
  type StoredChannel,
  updateChannel,
  updateDeliveryState,
} from '../store/notice-channels.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { listNoticeChannels, readNoticeChannel, toAuditedChannel } from './notice-channel.ts'
import { requireAllowedUrl, requireLinksLeft, requireQuietHours, requireSites } from './notice-input.ts'
import { requireAccount } from './resolve-account.ts'
import { toConflict, translateFaults } from './resolve-site.ts'

interface ChannelKey {
  readonly account: string
  readonly channel_id: string
}

export const noticeHandlers = {
  async listNoticeChannels({ account }, deps) {
    return { channels: await listNoticeChannels(account, deps), email_available: deps.notices.isEmailAvailable }
  },

  async addNoticeChannel({ account, email_address, chat_url, chat_format, ...settings }, deps, actor) {
    const { knex, now } = deps
    await requireAccount(account, deps, actor)
    requireQuietHours(settings)
    await requireSites(account, settings.sites, deps, actor.call)
    const key = { account, channel_id: newChannelId() }
    const target = createTarget(key.channel_id, { email_address, chat_url, chat_format }, deps)
    if (target.email_address !== null) await requireLinksLeft(account, deps)
    const change = transaction(knex, async (trx) => {
      if ((await lockChannels(trx, account)) >= limits.notice_channels)
        throw new AdminFault('conflict', {
          reason: createReason('too_many_channels', { count: String(limits.notice_channels) }),
        })
      await insertChannel(trx, { ...settings, ...target, ...key }, now())
      const token = target.email_address === null ? undefined : await replaceLink(trx, key, now())
      const channel = await requireChannel(trx, key)
      await actor.auditIn(trx, null, toAuditedChannel(channel))
      return { channel, token }
    })
    const { channel, token } = await rejectKnownName(change)
    if (token !== undefined) await sendLink(channel, token, deps)
    return readNoticeChannel(key, deps)
  },

  async readNoticeChannel(key, deps) {
    return readNoticeChannel(key, deps)
  },

  async changeNoticeChannel({ account, channel_id, chat_url, chat_format, ...changes }, deps, actor) {
    const key = { account, channel_id }
    await requireSites(account, changes.sites ?? null, deps, actor.call)
    const change = transaction(deps.knex, async (trx) => {
      const before = await requireChannel(trx, key)
      if (before.revision !== actor.expected_revision) throw new AdminFault('revision_mismatch')
      requireQuietHours({ ...before, ...omitUndefined(changes) })
      const target = changeTarget(before, { chat_url, chat_format }, deps)
      await updateChannel(trx, key, { ...omitUndefined(changes), ...target })
      const after = toAuditedChannel(await requireChannel(trx, key))
      await actor.auditIn(trx, toAuditedChannel(before), { ...after, ...(chat_url !== undefined && { chat_url }) })
    })
    await rejectKnownName(change)
    return readNoticeChannel(key, deps)
  },

  async removeNoticeChannel(key, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const channel = await requireChannel(trx, key)
      await deleteChannel(trx, key)
      await actor.auditIn(trx, toAuditedChannel(channel), null)
    })
    return {}
  },

  async testNoticeChannel(key, deps) {
    const { knex, notices, consoleUrl, now } = deps
    const channel = await transaction(knex, (trx) => requireChannel(trx, key))
    if (channel.confirmed_at === null)
      throw new AdminFault('conflict', { reason: createReason('channel_not_confirmed') })
    const failure = await notices.send(channel, renderTest(channel, consoleUrl), crypto.randomUUID())
    await updateDeliveryState(knex, key.channel_id, failure, now())
    return { delivered: failure === undefined, error: failure?.error ?? null, status: failure?.status ?? null }
  },

  async resendNoticeConfirmation(key, deps, actor) {
    const { knex, now, notices } = deps
    await requireLinksLeft(key.account, deps)
    const { channel, token } = await transaction(knex, async (trx) => {
      const channel = await requireChannel(trx, key)
      if (channel.confirmed_at !== null) throw new AdminFault('conflict', { reason: createReason('channel_confirmed') })
      if (!notices.isEmailAvailable) throw new AdminFault('conflict', { reason: createReason('email_not_available') })
      const again = addSeconds(channel.link_sent_at ?? now(), limits.notice_confirmation_pause_seconds)
      if (channel.link_sent_at !== null && now() < again)
        throw new AdminFault('conflict', { reason: createReason('confirmation_sent_recently') })
      const token = await replaceLink(trx, key, now())
      await actor.auditIn(trx, null, toAuditedChannel(channel))
      return { channel, token }
    })
    await sendLink(channel, token, deps)
    return readNoticeChannel(key, deps)
  },
} satisfies AdminHandlers<keyof typeof noticeProcedures>

/** Sends the link that confirms an address. If that fails, the channel shows it, and owners can send it again. */
async function sendLink(channel: StoredChannel, token: string, deps: Deps): Promise<void> {
  const { knex, notices, consoleUrl, now } = deps
  const until = addSeconds(now(), limits.notice_confirmation_seconds)
  const message = renderConfirmation(channel, { token, until, consoleUrl })
  const failure = await notices.send(channel, message, crypto.randomUUID())
  if (failure !== undefined) await updateDeliveryState(knex, channel.channel_id, failure, now())
}

interface TargetInput {
  readonly email_address?: string | undefined
  readonly chat_url?: string | undefined
  readonly chat_format?: ChatFormat | undefined
}

/** @throws AdminFault `invalid_request` unless there is exactly one target that this installation allows */
function createTarget(
  channelId: string,
  { email_address, chat_url, chat_format }: TargetInput,
  deps: Deps,
): ChannelTarget {
  if ((email_address === undefined) === (chat_url === undefined))
    throw new AdminFault('invalid_request', { reason: createReason('one_notice_address') })
  if (chat_url !== undefined) {
    requireAllowedUrl(chat_url, deps)
    return {
      email_address: null,
      chat_url_encrypted: encryptChatUrl(deps.encryptor, channelId, chat_url),
      chat_host: new URL(chat_url).host,
      chat_format: chat_format ?? findChatFormat(chat_url),
    }
  }
  if (chat_format !== undefined)
    throw new AdminFault('invalid_request', { field: 'chat_format', reason: createReason('chat_only') })
  if (!deps.notices.isEmailAvailable)
    throw new AdminFault('invalid_request', { field: 'email_address', reason: createReason('email_not_available') })
  return { email_address: email_address ?? null, chat_url_encrypted: null, chat_host: null, chat_format: null }
}

/** @throws AdminFault `invalid_request` if the channel is an e-mail address, or the URL is not allowed */
function changeTarget(
  { channel_id, email_address }: StoredChannel,
  { chat_url, chat_format }: Pick<TargetInput, 'chat_url' | 'chat_format'>,
  deps: Deps,
): Partial<ChannelTarget> {
  const field = chat_url === undefined ? 'chat_format' : 'chat_url'
  if (chat_url === undefined && chat_format === undefined) return {}
  if (email_address !== null) throw new AdminFault('invalid_request', { field, reason: createReason('chat_only') })
  if (chat_url !== undefined) return createTarget(channel_id, { chat_url, chat_format }, deps)
  return chat_format === undefined ? {} : { chat_format }
}

/** Locks the channel. @throws AdminFault `not_found` */
async function requireChannel(trx: Knex.Transaction, key: ChannelKey): Promise<StoredChannel> {
  const channel = await lockChannel(trx, key)
  if (channel === undefined) throw new AdminFault('not_found')
  return channel
}

function rejectKnownName<T>(change: Promise<T>): Promise<T> {
  return translateFaults(change, { already_exists: toConflict(createReason('channel_exists')) })
}

/** The given fields only. */
function omitUndefined<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // The values that remain are not undefined.
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
