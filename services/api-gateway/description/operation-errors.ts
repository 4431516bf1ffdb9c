import { type FaultName, faults } from '#contracts'
import { type Faults, faultsOf, type OperationDescription } from '../operation.ts'

/** A row of an operation's errors. */
export interface OperationError {
  readonly fault: FaultName
  readonly status: number
  readonly code: number
  readonly message: string
  /** Conditions, each of which is sufficient. */
  readonly when: readonly string[]
}

/** Conditions of errors that are common to all operations, or follow from their parameters. */
const commonConditions: Faults = {
  invalid_api_key: 'The API key is missing, unknown, revoked or repeated, or two different keys were sent.',
  address_not_allowed: 'The caller’s address is not in the service’s list of allowed addresses.',
  option_contract_needed: 'The alternate base address is used without the fixed-address option.',
  too_many_requests: 'The rate limit is reached. Retry after the seconds in `Retry-After`.',
  server_call_only: 'A browser sent the request: from a page, by navigation or as a prefetch. Nothing was changed.',
  body_not_a_form:
    'The body of a POST is not `application/x-www-form-urlencoded`, for example JSON. Replaces 401 if neither a header nor the query has a key.',
  required_parameter_missing: 'A required parameter is missing or empty.',
  invalid_parameter: 'A parameter is invalid or repeated, or the parameters cannot be parsed.',
  operation_failed: 'An unexpected error occurred.',
  unavailable:
    'Part of the service is temporarily unavailable. Retry after the seconds in `Retry-After`; the change may have been made.',
}

/** Additional conditions for operations that accept `Idempotency-Key`. */
const idempotencyConditions: Faults = {
  invalid_parameter: '`Idempotency-Key` is malformed, or was used with another request.',
  unavailable: 'A request with the same `Idempotency-Key` is in progress.',
}

/** All errors of an operation, in the order of the checks. */
export function listErrors(operation: OperationDescription): readonly OperationError[] {
  return faultsOf(operation).map((fault) => {
    const conditions = [
      commonConditions[fault],
      operation.faults[fault],
      operation.writes ? idempotencyConditions[fault] : undefined,
    ]
    return { fault, ...faults[fault], when: conditions.filter((text) => text !== undefined) }
  })
}
