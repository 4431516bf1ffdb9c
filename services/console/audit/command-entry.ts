import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { NewEntry } from '../store/audit-trail.ts'

/** Creates the audit entry of a command that runs next to the database. There is no signed-in member, so the entry names the machine. */
export function createCommandEntry(action: string, after: unknown): NewEntry {
  return {
    at: new Date(),
    action,
    account: null,
    site_id: null,
    actor: 'command line',
    member_id: null,
    token_id: null,
    address: hostname(),
    request_id: randomUUID(),
    before: null,
    after,
  }
}
