import type { z } from 'zod'
import type { NoticeChannel } from '#admin-api'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { listChannels, type StoredChannel } from '../store/notice-channels.ts'

type Channel = z.input<typeof NoticeChannel>

export async function listNoticeChannels(account: string, { knex }: Pick<Deps, 'knex'>): Promise<Channel[]> {
  return (await listChannels(knex, { account })).map(toChannel)
}

/** @throws AdminFault `not_found` */
export async function readNoticeChannel(
  { account, channel_id }: { readonly account: string; readonly channel_id: string },
  { knex }: Pick<Deps, 'knex'>,
): Promise<Channel> {
  const [channel] = await listChannels(knex, { account, channel_id })
  if (channel === undefined) throw new AdminFault('not_found')
  return toChannel(channel)
}

/** Without the secrets: of a chat's URL it has the host. */
function toChannel(stored: StoredChannel & { readonly waiting: number }): Channel {
  return {
    ...pickSettings(stored),
    confirmed_at: toTimestampOrNull(stored.confirmed_at),
    confirm_until: toTimestampOrNull(stored.confirm_until),
    last_delivered_at: toTimestampOrNull(stored.last_delivered_at),
    last_failed_at: toTimestampOrNull(stored.last_failed_at),
    last_error: stored.last_error,
    last_status: stored.last_status,
    waiting: stored.waiting,
    created_at: toTimestamp(stored.created_at),
    revision: Number(stored.revision),
  }
}

/** The channel for the audit trail, which masks the address. */
export function toAuditedChannel(stored: StoredChannel): object {
  return pickSettings(stored)
}

function pickSettings(stored: StoredChannel) {
  const { channel_id, name, kinds, sites, language, time_zone, quiet_from, quiet_to } = stored
  const { email_address, chat_host, chat_format } = stored
  const settings = { channel_id, name, kinds, sites, language, time_zone, quiet_from, quiet_to }
  return { ...settings, email_address, chat_host, chat_format }
}
