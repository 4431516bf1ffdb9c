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
  return typeof constraint === 'string' ? constraint : names.find((name) => isOfShard(name, error.message))
}

/**
 * Whether the error of a distributed table names the constraint. Citus passes on the message of a shard alone, whose constraints have
 * the number of the shard at their end: `users_pk_102008`.
 */
function isOfShard(constraint: string, message: string): boolean {
  return new RegExp(`\\b${constraint}_\\d+\\b`).test(message)
}
