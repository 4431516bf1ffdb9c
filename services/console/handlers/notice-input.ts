import { createReason } from '#admin-api'
import type { Call } from '#bus'
import { limits } from '#contracts'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { addSeconds, daySeconds } from '../domain/time.ts'
import { countEntries } from '../store/audit-trail.ts'

/** @throws AdminFault `invalid_request` unless both times are given and differ, or neither is given */
export function requireQuietHours({
  quiet_from,
  quiet_to,
}: {
  readonly quiet_from: string | null
  readonly quiet_to: string | null
}): void {
  if (quiet_from === null && quiet_to === null) return
  if (quiet_from !== null && quiet_to !== null && quiet_from !== quiet_to) return
  const field = quiet_from === null ? 'quiet_from' : 'quiet_to'
  throw new AdminFault('invalid_request', { field, reason: createReason('quiet_hours_incomplete') })
}

/** @throws AdminFault `invalid_request` if a site does not exist */
export async function requireSites(
  account: string,
  sites: readonly string[] | null,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<void> {
  if (sites === null) return
  const { sites: existing } = await identity.listSitesOfAccount({ account }, call)
  const unknown = sites.find((site) => !existing.some(({ site_id }) => site_id === site))
  if (unknown === undefined) return
  throw new AdminFault('invalid_request', { field: 'sites', reason: createReason('site_unknown', { site: unknown }) })
}

/** Limits the e-mails to addresses that did not ask for them. The request has an entry already. @throws AdminFault `conflict` */
export async function requireLinksLeft(account: string, { knex, now }: Pick<Deps, 'knex' | 'now'>): Promise<void> {
  const since = addSeconds(now(), -daySeconds)
  const actions = ['addNoticeChannel', 'resendNoticeConfirmation']
  const limit = limits.notice_links_per_day
  if ((await countEntries(knex, { account, actions, since })) <= limit) return
  throw new AdminFault('conflict', { reason: createReason('too_many_links', { count: String(limit) }) })
}

/** @throws AdminFault `invalid_request` if this installation does not allow the scheme or the address */
export function requireAllowedUrl(url: string, { isUrlAllowed }: Pick<Deps, 'isUrlAllowed'>): void {
  if (isUrlAllowed(url)) return
  throw new AdminFault('invalid_request', { field: 'chat_url', reason: createReason('public_https') })
}
