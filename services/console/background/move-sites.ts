import type { FailedStep } from '#admin-api'
import { Fault } from '#contracts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { TokenRejectedError } from '../site-moves/cell.ts'
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
      const next = { error: explainFailure(error), next_step_at: addSeconds(now(), retrySeconds) }
      await postponeMove(knex, move_id, next)
    },
  })
}

function explainFailure(error: unknown): FailedStep {
  if (error instanceof TokenRejectedError) return 'move_token_rejected'
  if (!(error instanceof Fault)) return 'move_step_failed'
  return error.fault === 'already_exists' ? 'move_value_taken' : 'move_step_unavailable'
}
