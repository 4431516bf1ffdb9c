import type { z } from 'zod'
import type { AuditEntry, auditProcedures } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import { toAuditEntry } from '../audit/to-audit-entry.ts'
import type { Deps } from '../deps.ts'
import { listVisibleSites } from '../domain/roles.ts'
import { type AuditFilter, listEntries } from '../store/audit-trail.ts'
import type { AdminHandlers } from './admin-handler.ts'

export const auditHandlers = {
  async listAudit(filter, deps, actor) {
    const sites = listVisibleSites(actor, filter.account)
    return listPage({ ...filter, sites }, deps)
  },
  listWholeAudit: listPage,
} satisfies AdminHandlers<keyof typeof auditProcedures>

async function listPage(
  { after, limit, ...filter }: AuditFilter & { readonly after?: string | undefined; readonly limit: number },
  { knex }: Pick<Deps, 'knex'>,
): Promise<{ entries: z.input<typeof AuditEntry>[]; more: boolean }> {
  const beforeEntry = after === undefined ? undefined : parseEntry(after)
  // One more than requested, to know whether there are more.
  const found = await listEntries(knex, { ...filter, beforeEntry }, limit + 1)
  return { entries: found.slice(0, limit).map(toAuditEntry), more: found.length > limit }
}

function parseEntry(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new AdminFault('invalid_request', {
      field: 'after',
      detail: 'The entry is not valid. Send the last entry of the previous page.',
    })
  return Number(text)
}
