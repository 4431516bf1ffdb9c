import { CliError } from '../cli-error.ts'
import type { PlanStep } from '../domain/step.ts'
import type { Io } from '../io.ts'
import { readSecret } from '../read-secret.ts'

/** The inputs of the steps, with secrets. */
export type StepInputs = ReadonlyMap<PlanStep, Readonly<Record<string, unknown>>>

/**
 * Reads every secret before the first step.
 *
 * @throws CliError `usage` with every secret that cannot be read
 */
export async function resolveSecrets(steps: readonly PlanStep[], io: Io): Promise<StepInputs> {
  const problems: string[] = []
  const entries = steps.map(async (step): Promise<[PlanStep, Record<string, unknown>]> => {
    const input: Record<string, unknown> = { ...step.input }
    for (const { path, reference } of step.secrets ?? []) {
      const [field, option] = path
      const value = await readSecret(reference, io).catch((error: unknown) => {
        problems.push(`${step.path}.${path.join('.')}: ${error instanceof Error ? error.message : 'cannot be read'}`)
        return ''
      })
      input[field] = option === undefined ? value : { ...Object(input[field]), [option]: value }
    }
    return [step, input]
  })
  const inputs = new Map(await Promise.all(entries))
  if (problems.length > 0)
    throw new CliError('usage', ['Secrets are missing.', ...problems.map((one) => `  ${one}`)].join('\n'))
  return inputs
}
