import { Fault } from '#contracts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { runMoveStep } from '../site-moves/run-step.ts'
import { findDueMove, postponeMove } from '../store/site-moves.ts'
import { startDueSteps } from './due-steps.ts'

/** Pause after a failed step. Our choice. */
const retrySeconds = 5

/**
 * Moves sites to other cells until disposed. One replica at a time does. Every step is stored and can be repeated, so that it continues
 * anywhere after a crash; a step that another replica does late has no effect (claims of `libs/database/site-freeze.ts`).
 */
export function startSiteMoves(deps: Deps): AsyncDisposable {
  const { knex, now, logger, registry } = deps
  return startDueSteps({
    name: 'site-moves',
    knex,
    logger,
    registry,
    findDue: () => findDueMove(knex, now()),
    runStep: (move) => runMoveStep(move, deps),
    async postpone({ move_id, account, site_id, state }, error) {
      logger.warn({ error, account, site_id, state }, 'step of the move of a site failed; retrying')
      const next = { error: describeFailure(error), next_step_at: addSeconds(now(), retrySeconds) }
      await postponeMove(knex, move_id, next)
    },
  })
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Fault)) return 'The step failed. The log of the console has the reason.'
  if (error.fault === 'already_exists')
    return 'The other cell has a site or a key with the same value. Remove it there, or roll the move back.'
  return 'A service or the other cell is unavailable.'
}
