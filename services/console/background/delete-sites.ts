import { type DeletingService, deletingServices } from '#admin-api'
import { newCall } from '#bus'
import { type DeletedRows, limits } from '#contracts'
import { transaction } from '#database'
import { createMemberlessEntry } from '../audit/memberless-entry.ts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { deleteConsoleRows } from '../store/delete-site-rows.ts'
import {
  type DeletedByService,
  type DeletionRequest,
  findDueDeletion,
  postponeDeletion,
  storeDeletionStep,
} from '../store/site-deletion-requests.ts'
import { startDueSteps } from './due-steps.ts'

/** Pause after a failed step. Our choice. */
const retrySeconds = 10
/** How long a service may take for one step; it answers earlier. Our choice. */
const stepMs = 10_000

type DeletionDeps = Pick<
  Deps,
  'knex' | 'identity' | 'provider_auth' | 'profile' | 'friendship' | 'events' | 'now' | 'logger' | 'registry'
>

/**
 * Deletes approved sites until disposed. One replica at a time does; two would do the same. A site is first closed. After a pause,
 * in which requests in progress end, each service deletes its data, in rounds, until a whole round found nothing more. Every step
 * is stored and can be repeated, so that it continues anywhere after a crash.
 */
export function startSiteDeletions(deps: DeletionDeps): AsyncDisposable {
  const { knex, now, logger, registry } = deps
  return startDueSteps({
    name: 'site-deletions',
    knex,
    logger,
    registry,
    findDue: () => findDueDeletion(knex, now()),
    runStep: (request) => runStep(request, deps),
    async postpone({ account, site_id, service, request_id }, error) {
      logger.warn({ error, account, site_id, service }, 'step of the deletion of a site failed; retrying')
      await postponeDeletion(knex, request_id, addSeconds(now(), retrySeconds))
    },
  })
}

async function runStep(request: DeletionRequest, deps: DeletionDeps): Promise<void> {
  if (request.service === null) await closeSite(request, deps)
  else await deleteFrom(request.service, request, deps)
}

async function closeSite(
  request: DeletionRequest,
  { knex, identity, provider_auth, now }: DeletionDeps,
): Promise<void> {
  const { site } = request
  await identity.closeSite({ site }, newCall())
  await provider_auth.closeSite({ site }, newCall())
  await transaction(knex, (trx) => storeDeletionStep(trx, request, startRound({}, now())))
}

function startRound(deleted: DeletedByService, now: Date) {
  return {
    state: 'deleting',
    service: deletingServices[0],
    deleted,
    deleted_before: deleted,
    next_step_at: addSeconds(now, limits.site_deletion_pause_seconds),
    deleted_at: null,
  } as const
}

async function deleteFrom(service: DeletingService, request: DeletionRequest, deps: DeletionDeps): Promise<void> {
  const { knex, now } = deps
  const { state, deleted_before } = request
  const answer = await callService(service, request, deps)
  const deleted = { ...request.deleted, [service]: answer.deleted }
  const nextService = answer.done ? deletingServices[deletingServices.indexOf(service) + 1] : service
  await transaction(knex, async (trx) => {
    if (nextService !== undefined) {
      const step = { state, service: nextService, deleted, deleted_before, next_step_at: now(), deleted_at: null }
      await storeDeletionStep(trx, request, step)
    } else if (countRows(deleted) > countRows(deleted_before)) {
      await storeDeletionStep(trx, request, startRound(deleted, now()))
    } else {
      const end = { state: 'deleted', service: null, next_step_at: null, deleted_at: now() } as const
      if (await storeDeletionStep(trx, request, { ...end, deleted, deleted_before }))
        await insertEntry(trx, toLastEntry(request, deleted, now()))
    }
  })
}

/** Deletes a part of what a service stores of the site. */
async function callService(
  service: DeletingService,
  request: DeletionRequest,
  { knex, provider_auth, identity, profile, friendship, events }: DeletionDeps,
): Promise<{ readonly done: boolean; readonly deleted: DeletedRows }> {
  const input = { site: request.site }
  const call = newCall({ withinMs: stepMs })
  switch (service) {
    case 'provider_auth':
      return provider_auth.deleteSite(input, call)
    case 'identity':
      return identity.deleteSite(input, call)
    case 'profile':
      return profile.deleteSite(input, call)
    case 'friendship':
      return friendship.deleteSite(input, call)
    case 'events':
      return events.deleteSite(input, call)
    case 'console':
      return deleteConsoleRows(knex, request)
  }
}

function countRows(deleted: DeletedByService): number {
  return Object.values(deleted)
    .flatMap((tables) => Object.values(tables))
    .reduce((sum, rows) => sum + rows, 0)
}

/** The last entry of the site in the audit trail. */
function toLastEntry({ account, site_id }: DeletionRequest, deleted: DeletedByService, at: Date) {
  return createMemberlessEntry('console', { at, action: 'completeSiteDeletion', account, site_id, after: deleted })
}
