import type { Api } from '../api.ts'
import { CliError } from '../cli-error.ts'
import type { PlanStep } from '../domain/step.ts'
import type { Io } from '../io.ts'
import { formatCell } from '../table.ts'
import { formatHeading } from './format-plan.ts'
import type { StepInputs } from './resolve-secrets.ts'

/**
 * Runs the steps in order and reports each when it is done. A returned secret is stored before the next step.
 *
 * @throws CliError of the first failed step, which lists the completed and remaining steps
 */
export async function applySteps(
  steps: readonly PlanStep[],
  inputs: StepInputs,
  api: Api,
  io: Io,
  storeSecret: (step: PlanStep, response: unknown) => Promise<void>,
): Promise<void> {
  for (const [at, step] of steps.entries()) {
    try {
      const answer = await api.send(step.procedure, inputs.get(step) ?? step.input, step.revision)
      if (step.returns_secret) await storeSecret(step, answer)
    } catch (error) {
      throw toApplyError(error, steps, at)
    }
    io.printError(`${formatHeading(step)}: done\n`)
  }
}

function toApplyError(error: unknown, steps: readonly PlanStep[], at: number): unknown {
  const step = steps[at]
  if (!(error instanceof CliError) || step === undefined) return error
  const remaining = steps.slice(at + 1).map((one) => `  ${formatHeading(one)}`)
  const lines = [
    error.message,
    `Failed step: ${formatCell(step.subject)}, in the files at ${step.path}.`,
    ...(error.isOutcomeUnknown ? ['The change may have been made. Run plan to check.'] : []),
    ...(error.isOutcomeUnknown && step.returns_secret
      ? ['If it was made, its secret is lost: remove the key or client, then apply again.']
      : []),
    `${at} of ${steps.length} steps were completed.${remaining.length > 0 ? ' Not started:' : ''}`,
    ...remaining,
    error.exit === 'conflict'
      ? 'Run plan again to see the current state, then apply.'
      : 'Fix the problem, then apply again. Completed steps are not repeated.',
  ]
  return new CliError(error.exit, lines.join('\n'), { cause: error })
}
