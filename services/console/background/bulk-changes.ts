import type { BulkFailure } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { startCleanup } from '#runtime'
import { createMemberlessEntry } from '../audit/memberless-entry.ts'
import { changeUser } from '../bulk-changes/change-user.ts'
import { readMatchingPage } from '../bulk-changes/find-users.ts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { insertEntry } from '../store/audit-trail.ts'
import {
  deleteOldBulkChanges,
  endBulkChange,
  endBulkStep,
  findDueBulkChange,
  postponeBulkChange,
  type StoredBulkChange,
  startBulkStep,
} from '../store/bulk-changes.ts'
import { startDueSteps } from './due-steps.ts'

/** Pause after a failed step. Our choice. */
const retrySeconds = 5
/** Users that are changed at the same time. Our choice: end users' logins go first. */
const concurrency = 4

type BulkDeps = Pick<Deps, 'knex' | 'identity' | 'now' | 'logger' | 'registry'>

/**
 * Makes bulk changes of users until disposed, in steps: first, the users of a step are stored, then they are changed, and then
 * it is stored what became of them. A step can be repeated, because each user is changed by a command derived from the change.
 */
export function startBulkChanges(deps: BulkDeps): AsyncDisposable {
  const { knex, now, logger, registry } = deps
  const steps = startDueSteps({
    name: 'bulk-changes',
    knex,
    logger,
    registry,
    findDue: () => findDueBulkChange(knex, now()),
    runStep: (change) => (change.step === null ? findUsers(change, deps) : changeUsers(change, change.step, deps)),
    async postpone({ change_id, site }, error) {
      logger.warn({ error, change_id, site }, 'step of a bulk change failed; retrying')
      await postponeBulkChange(knex, change_id, addSeconds(now(), retrySeconds))
    },
  })
  const cleanup = startCleanup('bulk-changes', () => deleteOldBulkChanges(knex, now()), { logger, registry })
  return {
    async [Symbol.asyncDispose]() {
      cleanup[Symbol.dispose]()
      await steps[Symbol.asyncDispose]()
    },
  }
}

/** Stores the users of the next step, or ends the change if none follow. */
async function findUsers(change: StoredBulkChange, deps: BulkDeps): Promise<void> {
  const { knex } = deps
  if (change.all_found) return endChange(change, deps)
  const { identifiers, next, remaining } = await readNextUsers(change, deps)
  await startBulkStep(knex, change, {
    step: identifiers.length > 0 ? identifiers : null,
    position: next,
    identifiers: remaining,
    all_found: next === null && remaining === null,
  })
}

async function readNextUsers(change: StoredBulkChange, deps: BulkDeps) {
  const { identifiers } = change
  if (identifiers === null) return { ...(await readMatchingPage(change, deps)), remaining: null }
  const remaining = identifiers.slice(limits.bulk_step_users)
  return {
    identifiers: identifiers.slice(0, limits.bulk_step_users),
    next: null,
    remaining: remaining.length > 0 ? remaining : null,
  }
}

async function changeUsers(change: StoredBulkChange, step: readonly string[], deps: BulkDeps): Promise<void> {
  const { knex, now } = deps
  const counts = { changed: 0, unchanged: 0 }
  const failures: BulkFailure[] = []
  const remaining = step.values()
  const work = async () => {
    for (const identifier of remaining) {
      const outcome = await changeUser(change, identifier, deps)
      if (outcome === 'changed' || outcome === 'unchanged') counts[outcome]++
      else failures.push({ identifier, reason: outcome })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  await transaction(knex, (trx) => endBulkStep(trx, change, { ...counts, failures }, now()))
}

async function endChange(change: StoredBulkChange, { knex, now }: BulkDeps): Promise<void> {
  await transaction(knex, async (trx) => {
    const ended = await endBulkChange(trx, change, 'done', now())
    if (ended !== undefined) await insertEntry(trx, toLastEntry(ended, now()))
  })
}

function toLastEntry({ account, site_id, change_id, action, ...counts }: StoredBulkChange, at: Date) {
  const { found, changed, unchanged, failed } = counts
  const after = { change_id, action, found, changed, unchanged, failed }
  return createMemberlessEntry('console', { at, action: 'completeBulkChange', account, site_id, after })
}
