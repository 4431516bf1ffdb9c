import type { FaultDetail } from './fault-details.ts'

/**
 * All expected errors, each with the HTTP status, code and message of the Web API.
 * Codes below 1000 are from the specification (Errors, Code table); ours start at 1001.
 */
export const faults = {
  invalid_api_key: { status: 401, code: 1, message: 'Invalid API key or key not found.' },
  operation_failed: { status: 500, code: 3, message: 'Operation failed.' },
  invalid_authentication_token: { status: 404, code: 4, message: 'Invalid authentication token or token not found.' },
  required_parameter_missing: { status: 400, code: 5, message: 'Required parameter not found.' },
  invalid_parameter: { status: 400, code: 6, message: 'Invalid parameter.' },
  entity_not_found: { status: 404, code: 7, message: 'Entity not found.' },
  already_mapped: { status: 403, code: 8, message: 'Field existed and overwrite disabled.' },
  provider_not_linked: { status: 404, code: 9, message: 'Specified provider not associated with this user.' },
  provider_settings_incomplete: { status: 400, code: 11, message: 'Specified provider settings incomplete.' },
  provider_already_linked: { status: 409, code: 15, message: 'Specified provider already associated with this user.' },
  duplicated_primary_key: { status: 400, code: 16, message: 'Duplicated primary key.' },
  last_provider: { status: 400, code: 17, message: 'Unacceptable operation.' },
  too_many_requests: { status: 429, code: 22, message: 'Too Many Requests.' },
  address_not_allowed: { status: 403, code: 1001, message: 'Access from this address is not allowed.' },
  option_contract_needed: { status: 403, code: 1002, message: 'Option contract needed.' },
  unavailable: { status: 503, code: 1003, message: 'Service temporarily unavailable.' },
  server_call_only: { status: 403, code: 1004, message: 'Call this operation from a server.' },
  method_not_allowed: { status: 405, code: 1005, message: 'Method not allowed.' },
  changed_meanwhile: { status: 412, code: 1006, message: 'Changed meanwhile.' },
  already_exists: { status: 409, code: 1007, message: 'Already exists.' },
  unknown_operation: { status: 404, code: 1008, message: 'Unknown operation.' },
  body_not_a_form: { status: 415, code: 1009, message: 'Send the body as application/x-www-form-urlencoded.' },
  events_deleted: { status: 410, code: 1010, message: 'Events after this position are deleted.' },
  user_blocked: { status: 403, code: 1011, message: 'The user is blocked.' },
  metadata_too_large: { status: 400, code: 1012, message: 'Metadata too large.' },
  metadata_invalid: { status: 400, code: 1013, message: 'Metadata does not match the schema.' },
} as const satisfies Record<string, { status: number; code: number; message: string }>

export type FaultName = keyof typeof faults

/** Faults between services only; the Web API never returns them. */
export const internalFaults: readonly FaultName[] = ['already_exists', 'user_blocked']

/** A rejected field of the input, by its path, e.g. `redirect_uris.0`, and the reason as text for users. */
export interface RejectedField {
  readonly field: string
  readonly reason: string
}

/** An expected error. It crosses the bus by name, with the rejected fields. Any other error is a defect. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly fault: FaultName
  readonly fields: readonly RejectedField[]
  readonly detail: FaultDetail | undefined

  constructor(
    fault: FaultName,
    {
      fields = [],
      detail,
      ...options
    }: ErrorOptions & { fields?: readonly RejectedField[]; detail?: FaultDetail } = {},
  ) {
    // Expected errors need no stack trace; creating one takes 5 µs, a twentieth of the CPU time of a rejected request.
    const { stackTraceLimit } = Error
    if (faults[fault].status < 500) Error.stackTraceLimit = 0
    super(fault, options)
    Error.stackTraceLimit = stackTraceLimit
    this.fault = fault
    this.fields = fields
    this.detail = detail
  }
}

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name)
}
