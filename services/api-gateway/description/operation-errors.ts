import { type FaultName, faults } from '#contracts'
import { type Faults, faultsOf, type OperationDescription } from '../operation.ts'

/** A row of an operation's errors. */
export interface OperationError {
  readonly fault: FaultName
  readonly status: number
  readonly code: number
  readonly message: string
  /** Each of them is enough. */
  readonly when: readonly string[]
}

/** When the refusals are given that every operation has, or that follow from what it takes. */
const commonConditions: Faults = {
  invalid_api_key: 'The API key is missing, unknown or revoked, stands there twice, or two different ones do.',
  address_not_allowed: 'The service has a list of allowed addresses, and the caller’s is not on it.',
  option_contract_needed: 'The alternate base address is used without the fixed-address option.',
  too_many_requests: 'The requests of this window are used up. `Retry-After` says in how many seconds to go on.',
  server_call_only: 'A browser sent the request: from a page, by navigation or as a prefetch. Nothing was changed.',
  body_not_a_form:
    'The body of a POST is not `application/x-www-form-urlencoded`, for example JSON. Replaces 401 if neither a header nor the query has a key.',
  required_parameter_missing: 'A required parameter is missing or empty.',
  invalid_parameter: 'A parameter is wrong, stands there twice, or cannot be read.',
  operation_failed: 'Something failed that should not have.',
  unavailable: 'A part of the service is away. `Retry-After` says when to try again; a change may have been made.',
}

/** What `Idempotency-Key` adds to them for operations that change something. */
const idempotencyConditions: Faults = {
  invalid_parameter: '`Idempotency-Key` is wrong, or was given with another request.',
  unavailable: 'A request with the same `Idempotency-Key` is under way.',
}

/** Every refusal of an operation, in the order of the checks. */
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
