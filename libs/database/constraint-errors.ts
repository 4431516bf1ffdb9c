import { Fault, type FaultName } from '#contracts'

const uniqueViolation = '23505'
const foreignKeyViolation = '23503'

/**
 * Translates violations of the named constraints to faults; rethrows any other error. Only Postgres decides uniqueness.
 *
 * @param faults constraint name → fault
 */
export async function translateConstraintErrors<T>(
  work: PromiseLike<T>,
  faults: Readonly<Record<string, FaultName>>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    const fault = faults[violatedConstraint(error, Object.keys(faults)) ?? '']
    throw fault === undefined ? error : new Fault(fault, { cause: error })
  }
}

function violatedConstraint(error: unknown, names: readonly string[]): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  const constraint: unknown = Reflect.get(error, 'constraint')
  if (code !== uniqueViolation && code !== foreignKeyViolation) return undefined
  const text = typeof constraint === 'string' ? constraint : error.message
  return names.find((name) => isNamedIn(name, text))
}

/**
 * Whether a text contains the name of a constraint. On Citus, the constraints of a shard have its number at their end
 * (`users_pk_102008`), and only the message names them if the shard is on a worker.
 */
function isNamedIn(constraint: string, text: string): boolean {
  return new RegExp(`\\b${constraint}(_\\d+)?\\b`).test(text)
}
