import type { z } from 'zod'

/** What a member may do in an account; each may do what those before it may. An operator may do everything in every account. */
export const roles = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof roles)[number]

/** Refusals of the Admin API: HTTP status and a sentence for people. A refusal may name the field it is about, and say more. */
export const adminFaults = {
  invalid_request: { status: 400, message: 'The request is not as it should be.' },
  not_signed_in: { status: 401, message: 'Sign in, or send a valid token.' },
  not_allowed: { status: 403, message: 'Your role does not allow this.' },
  passkey_needed: { status: 403, message: 'Confirm with your passkey first.' },
  not_found: { status: 404, message: 'There is no such thing here.' },
  method_not_allowed: { status: 405, message: 'This address has no such method; `Allow` names those it has.' },
  conflict: { status: 409, message: 'This is not possible as things are.' },
  changed_meanwhile: {
    status: 412,
    message: 'Somebody else changed this meanwhile. Look at it again, then repeat your change.',
  },
  revision_needed: { status: 428, message: 'Say which revision you change, by If-Match.' },
  too_many_requests: { status: 429, message: 'Too many requests. Try again later.' },
  internal_error: { status: 500, message: 'Something went wrong here. Try it again; our log has the X-Request-Id.' },
  unavailable: { status: 503, message: 'A part of the service is away. The rest works; try this again later.' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

export type AdminFaultName = keyof typeof adminFaults
// The keys of an object are its names.
export const adminFaultNames = Object.keys(adminFaults) as [AdminFaultName, ...AdminFaultName[]]

/** Something that can be done in the console: the same by Admin API, command line and web page. */
export interface AdminProcedure {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/admin/v1`, with `{parameters}` that are fields of the input, too. The others are the query, or the JSON body. */
  readonly path: string
  readonly summary: string
  /** The least role in the account of the path; `operator`: for operators alone; `member`: for everybody who is signed in. */
  readonly role: Role | 'operator' | 'member'
  readonly input: z.ZodObject
  readonly output: z.ZodType
  /** The output has a `revision`, told as ETag; a change of it needs `If-Match`. */
  readonly versioned?: true
  /** Changes nothing, though it is no GET: what it is asked would be too long for an address. */
  readonly reads?: true
  /**
   * A member must have used the passkey in the last minutes; a token need not. A list of fields limits this to requests that
   * change one of them.
   */
  readonly sensitive?: true | readonly string[]
  /** Returns a user's personal data: each read is recorded in the audit trail. */
  readonly personal?: true
  /** Refusals of its own, and when. */
  readonly faults?: Readonly<Partial<Record<AdminFaultName, string>>>
}

export function adminProcedures<const P extends Record<string, AdminProcedure>>(procedures: P): P {
  return procedures
}
