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
    const fault = faults[violatedConstraint(error) ?? '']
    throw fault === undefined ? error : new Fault(fault, { cause: error })
  }
}

function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  const constraint: unknown = Reflect.get(error, 'constraint')
  if (code !== uniqueViolation && code !== foreignKeyViolation) return undefined
  return typeof constraint === 'string' ? constraint : undefined
}
