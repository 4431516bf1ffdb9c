import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { NewEntry } from '../store/audit-trail.ts'

type Memberless = Pick<NewEntry, 'action' | 'after'> & Partial<Pick<NewEntry, 'at' | 'account' | 'site_id'>>

/**
 * Creates the audit entry of something that no signed-in member does: a command that runs next to the database, or what the
 * console completes itself, long after a member requested it. It names the machine.
 */
export function createMemberlessEntry(
  actor: 'command line' | 'console',
  { action, after, at = new Date(), account = null, site_id = null }: Memberless,
): NewEntry {
  return {
    at,
    action,
    account,
    site_id,
    actor,
    member_id: null,
    token_id: null,
    address: hostname(),
    request_id: randomUUID(),
    before: null,
    after,
  }
}
