import type { z } from 'zod'
import type { AuditEntry, auditProcedures } from '#admin-api'
import { toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import { type Filter, listEntries } from '../store/audit-trail.ts'
import { AdminFault } from './admin-fault.ts'
import type { Runs } from './procedure.ts'

export const audit = {
  listAudit: page,
  listWholeAudit: page,
} satisfies Runs<keyof typeof auditProcedures>

async function page(
  { after, limit, ...filter }: Filter & { readonly after?: string | undefined; readonly limit: number },
  { knex }: Pick<Deps, 'knex'>,
): Promise<{ entries: z.input<typeof AuditEntry>[]; more: boolean }> {
  const beforeEntry = after === undefined ? undefined : readEntry(after)
  // One more than asked for tells whether there are more.
  const found = await listEntries(knex, { ...filter, beforeEntry }, limit + 1)
  const entries = found.slice(0, limit).map(({ entry, at, ...told }) => ({
    ...told,
    entry: String(entry),
    at: toTimestamp(at),
  }))
  return { entries, more: found.length > limit }
}

function readEntry(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new AdminFault('invalid_request', { field: 'after', detail: 'No entry is called so.' })
  return Number(text)
}
