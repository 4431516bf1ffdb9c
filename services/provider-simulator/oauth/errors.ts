import { type Context, MalformedParameters } from '#http'

/** An error of a provider. Which fields are sent, and how, depends on the format. */
export interface ErrorFields {
  /** HTTP status; 400 by default. */
  readonly status?: number
  readonly error: string
  readonly description: string
  /** The provider's own codes. */
  readonly code?: number
  readonly subcode?: number
  /** `WWW-Authenticate` */
  readonly challenge?: string
}

/** An error of RFC 6749 4.1.2.1 or 5.2. */
export function oauthError(error: string, description: string, status = 400): ErrorFields {
  return { status, error, description }
}

/** Ends a request with an error of the simulated provider. */
export class SimulatedError extends Error {
  override readonly name = 'SimulatedError'
  readonly fields: ErrorFields

  constructor(fields: ErrorFields) {
    super(fields.description)
    this.fields = fields
  }
}

/** The error format of an API. */
export interface ErrorFormat {
  readonly body: (error: ErrorFields) => object
  /** The error for a query or form that cannot be parsed; by default the simulator's own error response is sent. */
  readonly malformed?: (message: string) => ErrorFields
  readonly challenge?: (error: ErrorFields) => string
}

/** RFC 6749 5.2 */
export const oauthErrorFormat: ErrorFormat = {
  body: ({ error, description }) => ({ error, error_description: description }),
  malformed: (message) => oauthError('invalid_request', message),
}

/** Middleware that sends the errors of the route. */
export function sendErrors({ body, malformed, challenge }: ErrorFormat = oauthErrorFormat) {
  const fieldsOf = (thrown: unknown): ErrorFields => {
    if (thrown instanceof SimulatedError) return thrown.fields
    if (thrown instanceof MalformedParameters && malformed !== undefined) return malformed(thrown.message)
    throw thrown
  }
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next()
    } catch (thrown) {
      const fields = fieldsOf(thrown)
      const header = challenge?.(fields) ?? fields.challenge
      ctx.status = fields.status ?? 400
      if (header !== undefined) ctx.set('WWW-Authenticate', header)
      ctx.body = body(fields)
    }
  }
}
