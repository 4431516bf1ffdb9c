import { z } from 'zod'
import { limits } from '../limits.ts'
import { requestErrors } from '../objects/webhook.ts'
import { Count, Slug, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'

/** What notices are about. A channel gets those of the kinds that were chosen for it. */
export const noticeKinds = [
  'client_secret_expiring',
  'webhook_failing',
  'provider_failing',
  'api_key_unused',
  'api_key_new_network',
  'limit_near',
  'member_added',
  'export_ready',
  'site_deletion_requested',
] as const
export const NoticeKind = z.enum(noticeKinds)
export type NoticeKind = z.infer<typeof NoticeKind>

/** The languages of notices. */
export const noticeLanguages = ['en', 'ja'] as const
export type NoticeLanguage = (typeof noticeLanguages)[number]

/** The field of the JSON object in which a chat expects the text. Most chats accept `text`. */
export const chatFormats = ['text', 'content'] as const
export type ChatFormat = (typeof chatFormats)[number]

/**
 * Why a message was not delivered: no usable response, `rejected` by the mail server or the chat (with the status of its response),
 * `authentication`: the mail server rejected the operator's credentials; `not_configured`: the operator removed the mail server;
 * `not_readable`: the stored URL cannot be decrypted.
 */
export const noticeErrors = [...requestErrors, 'rejected', 'authentication', 'not_configured', 'not_readable'] as const
export const NoticeError = z.enum(noticeErrors)
export type NoticeError = z.infer<typeof NoticeError>

const ChatUrl = Text.max(2_000).refine(isChatUrl, 'must be an https URL without user name, password and fragment')

function isChatUrl(value: string): boolean {
  const url = URL.parse(value)
  if (url === null) return false
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !value.includes('#')
}

const TimeZone = Text.max(60).refine(isTimeZone, 'must be a time zone such as Asia/Tokyo')

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')

/** What owners set of a channel. */
const channelSettings = {
  /** Unique within the account. */
  name: Text.trim().min(1).max(60),
  kinds: z.array(NoticeKind).min(1),
  /** Only notices about these sites. Null: about all sites, and about the account. */
  sites: z
    .array(Slug)
    .max(100)
    .nullable()
    .overwrite((sites) => (sites?.length === 0 ? null : sites)),
  language: z.enum(noticeLanguages),
  /** IANA name; for the times in notices, and the quiet hours. */
  time_zone: TimeZone,
  /** From this time of day until `quiet_to`, notices wait, and are then sent in one message. Null: never. */
  quiet_from: TimeOfDay.nullable(),
  quiet_to: TimeOfDay.nullable(),
} as const

const Email = z.email('must be an e-mail address such as team@example.com').max(254)

/** A channel for notices: an e-mail address, or the URL of a chat, which is never returned. */
export const NoticeChannel = z.object({
  channel_id: z.uuid(),
  ...channelSettings,
  /** Null: it is a chat. */
  email_address: z.string().nullable(),
  /** Host of the chat's URL; null: it is an e-mail address. */
  chat_host: z.string().nullable(),
  chat_format: z.enum(chatFormats).nullable(),
  /** Null: the link to confirm the address was not opened yet, so that it gets no notices. */
  confirmed_at: Timestamp.nullable(),
  /** When an address that is not confirmed is removed. */
  confirm_until: Timestamp.nullable(),
  last_delivered_at: Timestamp.nullable(),
  /** The last failure after that; null: none. */
  last_failed_at: Timestamp.nullable(),
  last_error: NoticeError.nullable(),
  /** Status of the response of the mail server or chat. */
  last_status: z.int().nullable(),
  /** Notices that are not delivered yet. */
  waiting: Count,
  created_at: Timestamp,
  revision: Count,
})
export type NoticeChannel = z.infer<typeof NoticeChannel>

const AccountReference = z.object({ account: Slug })
const ChannelReference = AccountReference.extend({ channel_id: z.uuid() })
const settingsRejected = 'A site does not exist, the URL has no public address, or the quiet hours are incomplete.'

const help = { name: 'name of the channel, unique within the account', language: 'language of the notices' }

export const noticeProcedures = adminProcedures({
  listNoticeChannels: {
    method: 'GET',
    path: '/accounts/{account}/notice-channels',
    summary: 'Channels for notices of an account: e-mail addresses and chats',
    role: 'owner',
    input: AccountReference,
    output: z.object({
      channels: z.array(NoticeChannel),
      /** Whether the operator has set up a mail server. */
      email_available: z.boolean(),
    }),
  },
  addNoticeChannel: {
    method: 'POST',
    path: '/accounts/{account}/notice-channels',
    summary: 'Add an e-mail address, which gets a link to confirm it, or the URL of a chat',
    role: 'owner',
    sensitive: true,
    form: 'notice_channel',
    help,
    input: AccountReference.extend({
      email_address: Email.optional(),
      chat_url: ChatUrl.optional(),
      /** Default: by the host of the URL. */
      chat_format: z.enum(chatFormats).optional(),
      ...channelSettings,
      kinds: channelSettings.kinds.default([...noticeKinds]),
      sites: channelSettings.sites.default(null),
      language: channelSettings.language.default('en'),
      time_zone: channelSettings.time_zone.default('UTC'),
      quiet_from: channelSettings.quiet_from.default(null),
      quiet_to: channelSettings.quiet_to.default(null),
    }),
    output: NoticeChannel,
    faults: {
      invalid_request: `${settingsRejected} Or the operator has set up no mail server.`,
      conflict: `The account has a channel of this name, ${limits.notice_channels} channels, or has requested too many links today.`,
      not_found: 'The account does not exist.',
    },
  },
  readNoticeChannel: {
    method: 'GET',
    path: '/accounts/{account}/notice-channels/{channel_id}',
    summary: 'A channel for notices',
    role: 'owner',
    versioned: true,
    input: ChannelReference,
    output: NoticeChannel,
  },
  changeNoticeChannel: {
    method: 'PATCH',
    path: '/accounts/{account}/notice-channels/{channel_id}',
    summary: 'Change a channel for notices, except its e-mail address. Omitted fields keep their values',
    role: 'owner',
    sensitive: ['chat_url'],
    versioned: true,
    help,
    input: ChannelReference.extend({
      chat_url: ChatUrl.optional(),
      chat_format: z.enum(chatFormats).optional(),
      ...z.object(channelSettings).partial().shape,
    }),
    output: NoticeChannel,
    faults: { invalid_request: settingsRejected, conflict: 'The account has a channel of this name.' },
  },
  removeNoticeChannel: {
    method: 'DELETE',
    path: '/accounts/{account}/notice-channels/{channel_id}',
    summary: 'Remove a channel with its notices',
    role: 'owner',
    input: ChannelReference,
    output: z.object({}),
  },
  testNoticeChannel: {
    method: 'POST',
    path: '/accounts/{account}/notice-channels/{channel_id}/tests',
    summary: 'Send a test notice now, and return the result',
    role: 'owner',
    input: ChannelReference,
    output: z.object({
      delivered: z.boolean(),
      error: NoticeError.nullable(),
      /** Of the response of the mail server or chat. */
      status: z.int().nullable(),
    }),
    faults: { conflict: 'The address is not confirmed yet.' },
  },
  resendNoticeConfirmation: {
    method: 'POST',
    path: '/accounts/{account}/notice-channels/{channel_id}/confirmations',
    summary: 'Send the link to confirm an e-mail address again. Earlier links no longer work',
    role: 'owner',
    input: ChannelReference,
    output: NoticeChannel,
    faults: { conflict: 'The address is confirmed already, or the link was sent less than a minute ago.' },
  },
})
