import type { z } from 'zod'
import { createReason, type SignInRoutes } from '#admin-api'
import { transaction } from '#database'
import { toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { confirmChannel, findChannelOfLink, type StoredChannel } from '../store/notice-channels.ts'
import type { RequestOrigin } from './accept-invitation.ts'

type NoticeLink = z.input<SignInRoutes['openNoticeLink']['output']>

/** Reads what a link confirms. @throws AdminFault `not_found` */
export async function readNoticeLink(token: string, { knex, now }: Pick<Deps, 'knex' | 'now'>): Promise<NoticeLink> {
  return toNoticeLink(await findChannelOfLink(knex, token, now()))
}

/** Confirms the address of a link, once. @throws AdminFault `not_found` */
export async function acceptNoticeLink(
  token: string,
  origin: RequestOrigin,
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
): Promise<NoticeLink> {
  return transaction(knex, async (trx) => {
    const channel = await confirmChannel(trx, token, now())
    const link = toNoticeLink(channel)
    await insertEntry(trx, {
      at: now(),
      action: 'confirmNoticeChannel',
      account: link.account,
      site_id: null,
      actor: link.name,
      member_id: null,
      token_id: null,
      ...origin,
      before: null,
      after: { channel_id: channel?.channel_id, name: link.name },
    })
    return link
  })
}

function toNoticeLink(channel: StoredChannel | undefined): NoticeLink {
  if (channel === undefined || channel.email_address === null)
    throw new AdminFault('not_found', { reason: createReason('confirmation_link_invalid') })
  const { account, name, email_address, kinds, sites, confirm_until } = channel
  return { account, name, email_address, kinds, sites, confirm_until: toTimestampOrNull(confirm_until) }
}
