import type { Knex } from 'knex'
import type { z } from 'zod'
import {
  type CopyingService,
  copyingServices,
  createReason,
  failedSteps,
  formatReason,
  type ReceivedSiteEvent,
  type SiteMove,
  type SiteReference,
  type siteMoveProcedures,
} from '#admin-api'
import { transaction } from '#database'
import { isSecureAddress, toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { createLocalCell, createRemoteCell, isStepName, type SiteCell } from '../site-moves/cell.ts'
import { tokenContextOf } from '../site-moves/token.ts'
import { insertMoveEntry } from '../store/move-entries.ts'
import { findDeletionRequest } from '../store/site-deletion-requests.ts'
import { findSiteMove, insertSiteMove, lockSiteMove, type SiteMoveRow, updateSiteMove } from '../store/site-moves.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const siteMoveHandlers = {
  async readSiteMove(name, deps, actor) {
    const move = await findSiteMove(deps.knex, name)
    if (move === undefined) await resolveSite(name, deps, actor.call)
    return { move: move === undefined ? null : describeMove(move) }
  },

  async startSiteMove({ account, site_id, target_url, target_token, web_api_url, auth_url }, deps, actor) {
    const name = { account, site_id }
    const { site } = await resolveSite(name, deps, actor.call)
    const deletion = await findDeletionRequest(deps.knex, name)
    if (deletion !== undefined && ['approved', 'deleting', 'deleted'].includes(deletion.state))
      throw new AdminFault('conflict', { reason: createReason('deletion_approved') })
    if (!isSecureAddress(target_url))
      throw new AdminFault('invalid_request', { field: 'target_url', reason: createReason('move_target_insecure') })
    const url = new URL(target_url).origin
    await requireTarget({ url, token: target_token }, name, deps)
    const now = deps.now()
    const move = await transaction(deps.knex, async (trx) => {
      const movedTo = { web_api_url: new URL(web_api_url).origin, auth_url: new URL(auth_url).origin }
      const inserting = insertSiteMove(
        trx,
        { ...name, site, target_url: url, moved_to: movedTo, requested_by: actor.name, requested_at: now },
        (moveId) => deps.encryptor.encrypt(target_token, tokenContextOf(moveId)),
      )
      const inserted = await translateFaults(inserting, { already_exists: toConflict(createReason('move_running')) })
      await actor.auditIn(trx, null, { target_url: url, ...movedTo })
      return inserted
    })
    return { move: describeMove(move) }
  },

  async replaceSiteMoveToken({ account, site_id, target_token }, deps, actor) {
    const name = { account, site_id }
    const found = await findSiteMove(deps.knex, name)
    if (found === undefined) throw new AdminFault('not_found')
    requireRunning(found)
    const cell = createRemoteCell({ url: found.target_url, token: target_token })
    await requireReachable(cell.run('identity', 'canFreezeSites', {}), tokenNotAccepted)
    const move = await transaction(deps.knex, async (trx) => {
      const move = await lockMove(trx, name)
      // Another move may have started, to another cell.
      if (move.move_id !== found.move_id) throw new AdminFault('conflict', { reason: createReason('move_ended') })
      requireRunning(move)
      const token = deps.encryptor.encrypt(target_token, tokenContextOf(move.move_id))
      const changed = await updateSiteMove(trx, move, { token_encrypted: token })
      await actor.auditIn(trx, null, { target_url: move.target_url })
      return changed ?? move
    })
    return { move: describeMove(move) }
  },

  async commitSiteMove(name, deps, actor) {
    const move = await transaction(deps.knex, async (trx) => {
      const move = await lockMove(trx, name)
      if (move.state === 'committing' || move.state === 'committed') return move
      if (move.state !== 'forwarding' || move.direction !== 'out')
        throw new AdminFault('conflict', { reason: createReason('move_not_switched') })
      const changes = { state: 'committing', ended_by: actor.name, next_step_at: deps.now() } as const
      const changed = await updateSiteMove(trx, move, changes)
      await actor.auditIn(trx, { state: move.state }, { state: 'committing' })
      return changed ?? move
    })
    return { move: describeMove(move) }
  },

  async rollBackSiteMove(name, deps, actor) {
    const move = await transaction(deps.knex, async (trx) => {
      const move = await lockMove(trx, name)
      const changes = rollBack(move)
      if (changes === undefined) return move
      const changed = await updateSiteMove(trx, move, {
        ...changes,
        ended_by: actor.name,
        error: null,
        next_step_at: deps.now(),
      })
      await actor.auditIn(trx, { state: move.state }, { state: changes.state })
      return changed ?? move
    })
    return { move: describeMove(move) }
  },

  async runSiteCopyStep({ service, procedure, parameters }, deps) {
    if (!isStepName(procedure))
      throw new AdminFault('invalid_request', { field: 'procedure', reason: createReason('move_other_release') })
    return { output: await runLocalStep(service, procedure, parameters, deps) }
  },

  async recordReceivedSite({ account, site_id, event, ...after }, { knex, now }, actor) {
    const { name, member_id = null, token_id = null, address, request_id } = actor
    const entry = {
      at: now(),
      action: receivedActions[event],
      account,
      site_id,
      actor: name,
      member_id,
      token_id,
      address,
      request_id,
      before: null,
      after,
    }
    await transaction(knex, (trx) => insertMoveEntry(trx, entry))
    return {}
  },
} satisfies AdminHandlers<keyof typeof siteMoveProcedures>

const receivedActions = {
  started: 'receiveSite',
  opened: 'openReceivedSite',
  returned: 'returnReceivedSite',
} as const satisfies Record<ReceivedSiteEvent, string>

type LocalCell = Parameters<typeof createLocalCell>[0]
type StepName = Parameters<ReturnType<typeof createLocalCell>['run']>[1]

/** The cell parses the input. */
async function runLocalStep(
  service: CopyingService,
  procedure: StepName,
  input: object,
  deps: LocalCell,
): Promise<unknown> {
  const run: (service: CopyingService, procedure: StepName, input: never) => Promise<unknown> =
    createLocalCell(deps).run
  return run(service, procedure, input as never)
}

/** How a move is canceled or goes back; undefined: it does already. @throws AdminFault `conflict` */
function rollBack({ state, direction }: SiteMoveRow) {
  if (direction === 'back' || state === 'canceling' || state === 'canceled') return undefined
  if (state === 'copying' || state === 'freezing' || state === 'finishing')
    return { state: 'canceling', service: null, table_name: null, position: '' } as const
  if (state !== 'forwarding') throw new AdminFault('conflict', { reason: createReason('move_not_reversible') })
  const start = { service: null, table_name: null, position: '', round: 1, parts_before: null, parts_now: 0 } as const
  return { state: 'copying', direction: 'back', frozen_at: null, frozen_round: null, ...start } as const
}

/** Checks address and token, that sites of both cells can move, and that no other site of the other cell has the names. */
async function requireTarget(
  target: { readonly url: string; readonly token: string },
  name: SiteReference,
  deps: LocalCell,
): Promise<void> {
  const cell = createRemoteCell(target)
  await requireMovableSites(createLocalCell(deps))
  await requireReachable(requireMovableSites(cell))
  const creating = cell.run('identity', 'createArrivingSite', {
    account: { account: name.account, name: name.account },
    site_id: name.site_id,
  })
  await requireReachable(
    translateFaults(creating, { already_exists: toConflict(createReason('move_target_has_site')) }),
  )
}

/** @throws AdminFault `conflict` */
async function requireMovableSites(cell: SiteCell): Promise<void> {
  for (const service of copyingServices) {
    const { possible } = await cell.run(service, 'canFreezeSites', {})
    if (!possible) throw new AdminFault('conflict', { reason: createReason('move_tables_distributed') })
  }
}

const targetUnreachable = { field: 'target_url', reason: createReason('move_target_unreachable') } as const
const tokenNotAccepted = { field: 'target_token', reason: createReason('move_token_not_accepted') } as const

/**
 * Returns the result of a step of the other cell.
 * @throws AdminFault `invalid_request` with the rejection if the cell cannot be reached with address and token
 */
async function requireReachable<T>(
  step: Promise<T>,
  rejection: typeof targetUnreachable | typeof tokenNotAccepted = targetUnreachable,
): Promise<T> {
  try {
    return await step
  } catch (cause) {
    if (cause instanceof AdminFault) throw cause
    throw new AdminFault('invalid_request', { ...rejection, cause })
  }
}

/** @throws AdminFault `conflict` */
function requireRunning({ ended_at }: SiteMoveRow): void {
  if (ended_at !== null) throw new AdminFault('conflict', { reason: createReason('move_ended') })
}

async function lockMove(trx: Knex.Transaction, name: SiteReference): Promise<SiteMoveRow> {
  const move = await lockSiteMove(trx, name)
  if (move === undefined) throw new AdminFault('not_found')
  return move
}

function describeMove(move: SiteMoveRow): z.input<typeof SiteMove> {
  const { state, direction, target_url, moved_to, service, table_name, round, rows_sent } = move
  const { parts_before, parts_now, requested_by, ended_by } = move
  const reason = move.error === null ? null : (failedSteps.find((name) => name === move.error) ?? 'move_step_failed')
  return {
    state,
    direction,
    target_url,
    moved_to,
    service,
    table: table_name,
    round,
    rows_sent,
    parts_before,
    parts_now,
    error: reason === null ? null : formatReason(createReason(reason)),
    error_reason: reason,
    requested_by,
    ended_by,
    requested_at: toTimestamp(move.requested_at),
    frozen_at: toTimestampOrNull(move.frozen_at),
    switched_at: toTimestampOrNull(move.switched_at),
    ended_at: toTimestampOrNull(move.ended_at),
  }
}
