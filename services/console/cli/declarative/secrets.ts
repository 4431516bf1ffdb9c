import { readFile } from 'node:fs/promises'
import type { SecretReference } from '../domain/desired.ts'
import type { Step } from '../domain/step.ts'
import { codeOf } from '../error-code.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'

/** The inputs of the steps, with the secrets they send in their places. */
export type Inputs = ReadonlyMap<Step, Readonly<Record<string, unknown>>>

/**
 * Looks up every secret before anything is done.
 *
 * @throws Failure `usage`, naming every secret that is not to be had
 */
export async function inputsOf(steps: readonly Step[], io: Io): Promise<Inputs> {
  const complaints: string[] = []
  const entries = steps.map(async (step): Promise<[Step, Record<string, unknown>]> => {
    const input: Record<string, unknown> = { ...step.input }
    for (const { path, reference } of step.secrets ?? []) {
      const [field, option] = path
      const value = await secretAt(reference, io).catch((error: unknown) => {
        complaints.push(
          `${step.path}.${path.join('.')}: ${error instanceof Error ? error.message : 'is not to be had'}`,
        )
        return ''
      })
      input[field] = option === undefined ? value : { ...Object(input[field]), [option]: value }
    }
    return [step, input]
  })
  const inputs = new Map(await Promise.all(entries))
  if (complaints.length > 0)
    throw new Failure('usage', ['Secrets are missing.', ...complaints.map((one) => `  ${one}`)].join('\n'))
  return inputs
}

async function secretAt(reference: SecretReference, { environment }: Io): Promise<string> {
  if ('from_env' in reference) {
    const value = environment[reference.from_env]
    if (!value) throw new Error(`${reference.from_env} is not set in the environment`)
    return value
  }
  const text = await readFile(reference.from_file, 'utf8').catch((error: unknown) => {
    throw new Error(`${reference.from_file} cannot be read (${codeOf(error)})`)
  })
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw new Error(`${reference.from_file} is empty`)
  return value
}
