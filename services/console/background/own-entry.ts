import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { NewEntry } from '../store/audit-trail.ts'

/** The audit entry of something that the console completes itself, long after a member requested it. */
export function createOwnEntry(done: Pick<NewEntry, 'at' | 'action' | 'account' | 'site_id' | 'after'>): NewEntry {
  const { at, action, account, site_id, after } = done
  return {
    at,
    action,
    account,
    site_id,
    actor: 'console',
    member_id: null,
    token_id: null,
    address: hostname(),
    request_id: randomUUID(),
    before: null,
    after,
  }
}
