import { limits } from './limits.ts'

/**
 * Stable names of the exact cause of an error: `error.reason` of the Web API. The texts are for the documentation.
 */
export const faultReasons = {
  missing: 'A required parameter is missing or empty.',
  user_missing: 'Neither `identifier` nor `primary_key` was sent.',
  repeated: 'The parameter was sent more than once.',
  bad_encoding: 'The parameters contain a broken percent-escape, a NUL, or bytes that are not UTF-8.',
  too_long: `The query or the form is longer than ${limits.parameters_bytes} bytes.`,
  too_many_parameters: `The request has more than ${limits.parameters_pairs} parameters.`,
  incomplete: 'The body ended before it was complete.',
  not_a_form: 'The body is not `application/x-www-form-urlencoded`.',
  wrong_format: 'The value does not have the format of the parameter.',
  unknown_value: 'The value is not one of the allowed values.',
  out_of_range: 'The number is too small or too large.',
  schema_violated: 'The metadata breaks the `rule` of the schema of the site at the `place`.',
  users_differ: '`identifier` and `primary_key` belong to different users.',
  same_user: 'The source and the destination are the same user.',
  linked_to_another_user: 'The provider account belongs to another user.',
  cursor_with_page: 'Both `cursor` and `page` were sent.',
  cursor_invalid: 'The cursor was modified, or belongs to other parameters.',
  cursor_expired: 'The cursor is older than 24 hours.',
  field_not_indexed: 'The site has not switched on finding users by this field.',
  events_deleted: 'The events after the cursor are deleted, or the cursor is not of this stream.',
  idempotency_key_malformed: '`Idempotency-Key` must be 1 to 255 printable ASCII characters, sent once.',
  idempotency_key_reused: '`Idempotency-Key` was already used with a different request.',
} as const

export type FaultReason = keyof typeof faultReasons

// `Object.keys` loses the type of the keys.
export const faultReasonNames = Object.keys(faultReasons) as FaultReason[]

/** What to correct in a rejected request. */
export interface FaultDetail {
  readonly reason: FaultReason
  /** The parameter or header field, by its name in the request. */
  readonly parameter?: string | undefined
  /** Where metadata breaks a rule of the schema of the site: a JSON Pointer, and the keyword of the schema. */
  readonly place?: string | undefined
  readonly rule?: string | undefined
}
