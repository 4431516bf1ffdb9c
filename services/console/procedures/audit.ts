import type { auditProcedures } from '#admin-api'
import { toTimestamp } from '#runtime'
import { listEntries } from '../audit/trail.ts'
import { AdminFault, type Runs } from './procedure.ts'

export const audit = {
  async listAudit({ after, limit, ...filter }, { knex }) {
    const before_entry = after === undefined ? undefined : readEntry(after)
    // One more than asked for tells whether there are more.
    const found = await listEntries(knex, { ...filter, before_entry }, limit + 1)
    const entries = found.slice(0, limit).map(({ entry, at, act, account, site_id, actor, ...rest }) => ({
      entry: String(entry),
      at: toTimestamp(at),
      act,
      account,
      site_id,
      actor,
      address: rest.address,
      request_id: rest.request_id,
      before: rest.before,
      after: rest.after,
    }))
    return { entries, more: found.length > limit }
  },
} satisfies Runs<keyof typeof auditProcedures>

function readEntry(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new AdminFault('invalid_request', { field: 'after', detail: 'No entry is called so.' })
  return Number(text)
}
