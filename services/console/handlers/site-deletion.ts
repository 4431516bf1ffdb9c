import type { Knex } from 'knex'
import type { z } from 'zod'
import { createReason, type SiteDeletion, type SiteReference, type siteDeletionProcedures } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { addSeconds } from '../domain/time.ts'
import { lockRolesOf } from '../store/members.ts'
import { notifyOnce } from '../store/notices.ts'
import {
  type DeletionRequest,
  findDeletionRequest,
  insertDeletionRequest,
  lockDeletionRequest,
  updateDeletionRequest,
} from '../store/site-deletion-requests.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { findObstacle, findPerson } from './deletion-approval.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const siteDeletionHandlers = {
  async readSiteDeletion(name, deps, actor) {
    const request = await findDeletionRequest(deps.knex, name)
    // Without a request, a site that does not exist is not found.
    if (request === undefined) await resolveSite(name, deps, actor.call)
    return { deletion: request === undefined ? null : await describe(deps.knex, request, actor, deps.now()) }
  },

  async requestSiteDeletion({ account, site_id, confirm_site_id, reason = null }, deps, actor) {
    const name = { account, site_id }
    if (confirm_site_id !== site_id)
      throw new AdminFault('invalid_request', {
        field: 'confirm_site_id',
        reason: createReason('deletion_not_confirmed'),
      })
    const { site, name: siteName } = await resolveSite(name, deps, actor.call)
    const now = deps.now()
    const expiresAt = addSeconds(now, limits.site_deletion_approval_seconds)
    const request = await transaction(deps.knex, async (trx) => {
      await lockRolesOf(trx, account)
      const requester = await findPerson(trx, name, actor)
      if (!requester.owner && !requester.operator)
        throw new AdminFault('not_allowed', { reason: createReason('deletion_role_missing') })
      const inserting = insertDeletionRequest(trx, {
        ...name,
        site,
        reason,
        requested_by: actor.name,
        requester_id: requester.member_id,
        requester_token_id: actor.token_id ?? null,
        by_operator: !requester.owner,
        requested_at: now,
        expires_at: expiresAt,
      })
      const inserted = await translateFaults(inserting, {
        already_exists: toConflict(createReason('deletion_pending')),
      })
      const details = { site_name: siteName, until_at: toTimestamp(expiresAt) }
      await notifyOnce(trx, { ...name, kind: 'site_deletion_requested', details }, now)
      await actor.auditIn(trx, null, { reason, expires_at: toTimestamp(expiresAt) })
      return inserted
    })
    return { deletion: await describe(deps.knex, request, actor, now) }
  },

  async approveSiteDeletion(name, deps, actor) {
    const now = deps.now()
    const request = await transaction(deps.knex, async (trx) => {
      // Changes of roles wait, so that both people are owners at this moment.
      await lockRolesOf(trx, name.account)
      const request = await lockRequest(trx, name)
      const state = stateAt(request, now)
      if (state === 'canceled' || state === 'expired')
        throw new AdminFault('conflict', { reason: createReason(`deletion_${state}`) })
      if (state !== 'pending') return request
      const obstacle = await findObstacle(trx, request, await findPerson(trx, name, actor))
      if (obstacle !== null) {
        const fault = obstacle === 'deletion_requester_removed' ? 'conflict' : 'not_allowed'
        throw new AdminFault(fault, { reason: createReason(obstacle) })
      }
      const approval = { state: 'approved', approved_by: actor.name, approved_at: now, next_step_at: now } as const
      const approved = await updateDeletionRequest(trx, request.request_id, approval)
      const { requested_by, reason } = request
      await actor.auditIn(trx, { state: 'pending' }, { state: 'approved', requested_by, reason })
      return approved
    })
    return { deletion: await describe(deps.knex, request, actor, now) }
  },

  async cancelSiteDeletion(name, deps, actor) {
    const now = deps.now()
    const request = await transaction(deps.knex, async (trx) => {
      const request = await lockRequest(trx, name)
      const state = stateAt(request, now)
      if (state === 'canceled' || state === 'expired') return request
      if (state !== 'pending') throw new AdminFault('conflict', { reason: createReason('deletion_approved') })
      const canceling = { state: 'canceled', canceled_by: actor.name, canceled_at: now } as const
      const canceled = await updateDeletionRequest(trx, request.request_id, canceling)
      await actor.auditIn(trx, { state: 'pending' }, { state: 'canceled' })
      return canceled
    })
    return { deletion: await describe(deps.knex, request, actor, now) }
  },
} satisfies AdminHandlers<keyof typeof siteDeletionProcedures>

async function lockRequest(trx: Knex.Transaction, name: SiteReference): Promise<DeletionRequest> {
  const request = await lockDeletionRequest(trx, name)
  if (request === undefined) throw new AdminFault('not_found')
  return request
}

function stateAt({ state, expires_at }: DeletionRequest, now: Date): SiteDeletion['state'] {
  return state === 'pending' && expires_at <= now ? 'expired' : state
}

async function describe(
  knex: Knex,
  request: DeletionRequest,
  actor: Actor,
  now: Date,
): Promise<z.input<typeof SiteDeletion>> {
  const { reason, requested_by, approved_by, canceled_by, service, deleted } = request
  const state = stateAt(request, now)
  const canBeApproved = state === 'pending' && (actor.member_id !== undefined || actor.token_id !== undefined)
  return {
    state,
    reason,
    requested_by,
    requested_at: toTimestamp(request.requested_at),
    expires_at: toTimestamp(request.expires_at),
    approved_by,
    approved_at: toTimestampOrNull(request.approved_at),
    canceled_by,
    canceled_at: toTimestampOrNull(request.canceled_at),
    deleted_at: toTimestampOrNull(request.deleted_at),
    service,
    deleted,
    not_approvable_because: canBeApproved ? await findObstacleOf(knex, request, actor) : null,
  }
}

/** Readers need not be members who could approve. */
async function findObstacleOf(knex: Knex, request: DeletionRequest, actor: Actor) {
  try {
    return await findObstacle(knex, request, await findPerson(knex, request, actor))
  } catch (error) {
    if (error instanceof AdminFault) return 'deletion_role_missing'
    throw error
  }
}
