import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type AdminApi, type BulkChange, type bulkChangeProcedures, createReason } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { countMatching } from '../bulk-changes/find-users.ts'
import { addSeconds } from '../domain/time.ts'
import { findCondition, pickConditions, toAuditedConditions } from '../domain/user-conditions.ts'
import {
  endBulkChange,
  findBulkChange,
  insertBulkChange,
  listBulkFailures,
  listStoredBulkChanges,
  type StoredBulkChange,
} from '../store/bulk-changes.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { requireMetadataPath } from './require-metadata-path.ts'
import { resolveSite } from './resolve-site.ts'

export const bulkChangeHandlers = {
  async listBulkChanges(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return { changes: (await listStoredBulkChanges(deps.knex, site)).map(toBulkChange) }
  },

  async previewBulkChange({ account, site_id, ...filter }, deps, { call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    await requireMetadataPath(site, filter, deps, call)
    return countMatching({ site, filter }, deps)
  },

  async requestBulkChange({ account, site_id, ...request }, deps, { name, call, auditIn }) {
    const { knex, now } = deps
    requireConsistent(request, now())
    const { action, identifiers, unlinked_provider, block_reason, block_until, user_metadata, app_metadata } = request
    const filter = pickConditions(request)
    const { site } = await resolveSite({ account, site_id }, deps, call)
    await requireMetadataPath(site, filter, deps, call)
    const requestedAt = now()
    const startsAt =
      request.starts_at === undefined ? findDefaultStart(action, requestedAt) : new Date(request.starts_at)
    const change = {
      change_id: randomUUID(),
      site,
      account,
      site_id,
      action,
      filter,
      identifiers: identifiers ?? null,
      selected: identifiers?.length ?? null,
      unlinked_provider: unlinked_provider ?? null,
      parameters: { reason: block_reason, until: block_until, user_metadata, app_metadata },
      requested_by: name,
      requested_at: requestedAt,
      starts_at: startsAt,
    }
    const stored = await transaction(knex, async (trx) => {
      const inserted = await insertBulkChange(trx, change)
      if (inserted === undefined) throw new AdminFault('conflict', { reason: createReason('too_many_bulk_changes') })
      const { change_id, selected } = change
      await auditIn(trx, null, {
        change_id,
        action,
        unlinked_provider,
        selected,
        ...toAuditedConditions(filter),
        starts_at: toTimestamp(startsAt),
      })
      return inserted
    })
    return toBulkChange(stored)
  },

  async readBulkChange({ change_id, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const change = await findBulkChange(deps.knex, { site, change_id })
    if (change === undefined) throw new AdminFault('not_found')
    return { change: toBulkChange(change), failures: await listBulkFailures(deps.knex, change_id) }
  },

  async cancelBulkChange({ change_id, ...name }, deps, { call, auditIn }) {
    const { knex, now } = deps
    const { site } = await resolveSite(name, deps, call)
    const canceled = await transaction(knex, async (trx) => {
      const ended = await endBulkChange(trx, { site, change_id }, 'canceled', now())
      if (ended === undefined) return findBulkChange(trx, { site, change_id })
      const { action, changed } = ended
      await auditIn(trx, { change_id, action, changed }, null)
      return ended
    })
    if (canceled === undefined) throw new AdminFault('not_found')
    return toBulkChange(canceled)
  },
} satisfies AdminHandlers<keyof typeof bulkChangeProcedures>

type BulkRequest = Omit<z.output<AdminApi['requestBulkChange']['input']>, 'account' | 'site_id'>

/** What each action needs or allows besides the users. */
const fieldsOfActions = {
  block_reason: 'block',
  block_until: 'block',
  unlinked_provider: 'unlink',
  user_metadata: 'change_metadata',
  app_metadata: 'change_metadata',
} as const

/** @throws AdminFault `invalid_request` if fields do not belong together */
function requireConsistent(request: BulkRequest, now: Date): void {
  const { action, identifiers, unlinked_provider, user_metadata, app_metadata } = request
  const reject = (
    field: string,
    reason: 'other_action' | 'filter_with_identifiers' | 'missing' | 'not_in_the_future',
  ) => {
    throw new AdminFault('invalid_request', { field, reason: createReason(reason) })
  }
  for (const [field, needed] of Object.entries(fieldsOfActions))
    if (needed !== action && (Reflect.get(request, field) ?? null) !== null) reject(field, 'other_action')
  const extra = findCondition(request)
  if (identifiers !== undefined && extra !== undefined) reject(extra, 'filter_with_identifiers')
  if (action === 'unlink' && unlinked_provider === undefined) reject('unlinked_provider', 'missing')
  if (action === 'change_metadata' && user_metadata === undefined && app_metadata === undefined)
    reject('user_metadata', 'missing')
  const { block_until, starts_at } = request
  const start = Math.max(now.getTime(), starts_at === undefined ? 0 : Date.parse(starts_at))
  if (block_until !== null && Date.parse(block_until) <= start) reject('block_until', 'not_in_the_future')
}

/** Deletions wait, so that a mistake can be noticed. */
function findDefaultStart(action: BulkRequest['action'], now: Date): Date {
  return action === 'delete' ? addSeconds(now, limits.bulk_deletion_wait_seconds) : now
}

function toBulkChange(stored: StoredBulkChange): BulkChange {
  const { change_id, action, filter, selected, unlinked_provider, state, found, changed, unchanged, failed } = stored
  return {
    change_id,
    action,
    ...filter,
    selected,
    unlinked_provider,
    state,
    found,
    changed,
    unchanged,
    failed,
    requested_by: stored.requested_by,
    requested_at: toTimestamp(stored.requested_at),
    starts_at: toTimestamp(stored.starts_at),
    ended_at: toTimestampOrNull(stored.ended_at),
  }
}
