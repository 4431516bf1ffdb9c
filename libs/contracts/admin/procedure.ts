import type { z } from 'zod'

/** Roles in an account; each includes the permissions of the roles before it. Operators have full access to every account. */
export const roles = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof roles)[number]

/** Errors of the Admin API: HTTP status and default message. A response can add the field and a more specific reason. */
export const adminFaults = {
  invalid_request: { status: 400, message: 'The request is invalid. Fix the fields listed in `fields`.' },
  not_signed_in: { status: 401, message: 'You are not signed in. Sign in, or send a valid token.' },
  not_allowed: { status: 403, message: 'Your role does not allow this.' },
  passkey_required: { status: 403, message: 'This change requires a confirmation. Confirm with your passkey first.' },
  not_found: { status: 404, message: 'Not found. Check the names and IDs in the path.' },
  method_not_allowed: {
    status: 405,
    message: 'The path does not support this method. `Allow` lists the supported methods.',
  },
  conflict: { status: 409, message: 'The change conflicts with the stored data. Reload the data and try again.' },
  revision_mismatch: {
    status: 412,
    message:
      'Someone else changed this, so If-Match is not the current revision. Read it again, then repeat your change.',
  },
  revision_required: {
    status: 428,
    message: 'The header If-Match is missing. Send the ETag of the revision you read.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Try again after the time in Retry-After.' },
  internal_error: {
    status: 500,
    message: 'Internal error. Try again. If it fails again, send the X-Request-Id to the operator.',
  },
  unavailable: {
    status: 503,
    message: 'Part of the service is temporarily unavailable. Try again after the time in Retry-After.',
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

export type AdminFaultName = keyof typeof adminFaults
// The literal has the keys that its type names.
export const adminFaultNames = Object.keys(adminFaults) as [AdminFaultName, ...AdminFaultName[]]

/** A procedure of the Admin API. The console and the command line call the same procedures. */
export interface AdminProcedure {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path under `/admin/v1`. `{parameters}` are input fields; the other fields are in the query or in the JSON body. */
  readonly path: string
  readonly summary: string
  /** Required role in the account of the path; `operator`: operators only; `member`: every signed-in member. */
  readonly role: Role | 'operator' | 'member'
  /** Members who have roles only in single sites of the account can call it. It returns only what belongs to these sites. */
  readonly limitedToSites?: true
  readonly input: z.ZodObject
  readonly output: z.ZodType
  /**
   * The service whose procedure of the same name serves this one: the console only checks access, resolves the site, and records
   * changes in the audit trail. Procedures of a site without it have a handler in the console.
   */
  readonly servedBy?: 'identity' | 'provider_auth'
  /** The procedure that reads what this one changes, before and after, for the audit trail and for the files of `apply`. */
  readonly reader?: string
  /** The fields of the reader's output that the audit trail has; all if omitted. */
  readonly audited?: readonly string[]
  /**
   * The section of a site in the files of `apply` that has the fields of the input, with their values in a new site. Sections of
   * another form are described in `cli/domain/sections`.
   */
  readonly section?: { readonly name: string; readonly initial: Readonly<Record<string, unknown>> }
  /** Descriptions of fields of the input, for those that `field-help.ts` does not describe, or that mean something else here. */
  readonly help?: Readonly<Record<string, string>>
  /** The form of the console that has these fields: they link to the part of this name in `docs/use/fields.md`. */
  readonly form?: string
  /** The output has a `revision`, which the response repeats as ETag. Changes require `If-Match`. */
  readonly versioned?: true
  /** Changes nothing although it is a POST: its input can be too long for a query. */
  readonly readOnly?: true
  /** A response may lack the changes of the last seconds that `Cache-Control: max-age` of the request permits; `Age` says how many. */
  readonly mayBeStale?: true
  /** A part of a change that this procedure started: its requests are not in the audit trail, because they have personal data. */
  readonly partOf?: string
  /** Maximum length of the body in bytes, if it is not `console_body_bytes`. */
  readonly bodyBytes?: number
  /** Rejects numbers in the body that would be rounded, because the input is stored as it is. */
  readonly lossless?: true
  /**
   * Members must have confirmed with their passkey in the last minutes; tokens need no confirmation. A list of fields limits this to
   * requests that change one of them.
   */
  readonly sensitive?: true | readonly string[]
  /** Returns a user's personal data: each read is recorded in the audit trail. */
  readonly returnsPersonalData?: true
  /** Fields of the input with a user's personal data: the audit trail does not contain them. */
  readonly personalFields?: readonly string[]
  /** When the procedure returns an error, in addition to the general conditions. */
  readonly faults?: Readonly<Partial<Record<AdminFaultName, string>>>
}

export function adminProcedures<const P extends Record<string, AdminProcedure>>(procedures: P): P {
  return procedures
}
