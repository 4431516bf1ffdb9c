import type { Api } from '../api.ts'
import type { Step } from '../domain/step.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { cell } from '../table.ts'
import type { Inputs } from './secrets.ts'
import { headOf } from './show.ts'

/** What a step's answer told once. */
export interface Told {
  readonly subject: string
  readonly account: string
  readonly site_id: string
  readonly name: string
  readonly answer: unknown
}

/**
 * Does the steps in their order, each reported when it is done. Secrets that an answer tells are handed on before the next
 * step.
 *
 * @throws Failure of the first step that fails, telling what was done and what was not
 */
export async function applySteps(
  steps: readonly Step[],
  inputs: Inputs,
  api: Api,
  io: Io,
  keepSecret: (step: Step, answer: unknown) => Promise<void>,
): Promise<void> {
  for (const [at, step] of steps.entries()) {
    try {
      const answer = await api.send(step.procedure, inputs.get(step) ?? step.input, step.revision)
      if (step.tells_secret) await keepSecret(step, answer)
    } catch (error) {
      throw stopped(error, steps, at)
    }
    io.complain(`${headOf(step)}: done\n`)
  }
}

function stopped(error: unknown, steps: readonly Step[], at: number): unknown {
  const step = steps[at]
  if (!(error instanceof Failure) || step === undefined) return error
  const undone = steps.slice(at + 1).map((one) => `  ${headOf(one)}`)
  const lines = [
    error.message,
    `Failed step: ${cell(step.subject)}, in the files at ${step.path}.`,
    ...(error.outcomeUnknown ? ['Whether it was done all the same cannot be told from here; a plan shows it.'] : []),
    ...(error.outcomeUnknown && step.tells_secret ? ['If it was, its secret is lost: remove it and apply again.'] : []),
    `Of ${steps.length} steps ${at} were done.${undone.length > 0 ? ' Not begun:' : ''}`,
    ...undone,
    error.exit === 'conflict'
      ? 'Plan again to see how things are, then apply.'
      : 'Once this is mended, apply again: what was done is not done twice.',
  ]
  return new Failure(error.exit, lines.join('\n'), { cause: error })
}
