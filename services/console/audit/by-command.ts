import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { NewEntry } from '../store/audit-trail.ts'

/** An entry of what a command changed that runs beside the database, where nobody signs in: the machine is what is known. */
export function byCommand(act: string, after: unknown): NewEntry {
  return {
    at: new Date(),
    act,
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
