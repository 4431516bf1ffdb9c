import type { DataService, ErasureSummary } from '#contracts'
import { Fault } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { type ErasureRow, findErasure, listErasureParts, listErasureRows } from '../store/erasures.ts'

export const readErasure: IdentityHandlers['readErasure'] = async (user, { knex }) => {
  const row = await findErasure(knex, user)
  if (row === undefined) throw new Fault('entity_not_found')
  const parts = await listErasureParts(knex, { ...user, deleted_at: row.deleted_at })
  const isPending = (service: DataService) => parts.every((part) => part.service !== service)
  const { receipt, receipt_key } = row
  return {
    ...toSummary(row),
    pending: row.services.filter(isPending),
    receipt,
    jwks: receipt_key === null ? null : { keys: [receipt_key] },
  }
}

export const listErasures: IdentityHandlers['listErasures'] = async ({ site, after, limit }, { knex }) => {
  const before = after && { identifier: after.identifier, deleted_at: new Date(after.deleted_at) }
  const rows = await listErasureRows(knex, site, { before, limit })
  const last = rows.at(-1)
  return {
    erasures: rows.map(toSummary),
    next:
      last === undefined || rows.length < limit
        ? null
        : { deleted_at: last.deleted_at.toISOString(), identifier: last.identifier },
  }
}

function toSummary({ identifier, requested_by, requested_at, deleted_at, completed_at }: ErasureRow): ErasureSummary {
  return {
    identifier,
    requested_by,
    requested_at: toTimestamp(requested_at),
    deleted_at: toTimestamp(deleted_at),
    completed_at: toTimestampOrNull(completed_at),
  }
}
