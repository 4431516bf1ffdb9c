import { type Context, MalformedParameters } from '#http'

const errors = {
  could_not_authenticate: { status: 401, code: 32, message: 'Could not authenticate you.' },
  token_is_over: { status: 401, code: 89, message: 'Invalid or expired token.' },
  timestamp: { status: 401, code: 135, message: 'Timestamp out of bounds.' },
  bad_authentication: { status: 400, code: 215, message: 'Bad Authentication data.' },
  callback: {
    status: 403,
    code: 415,
    message:
      'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings',
  },
  plan: {
    status: 403,
    code: 453,
    message: 'You currently have access to a subset of the API; this endpoint is not part of it.',
  },
} as const

/** A refusal of OAuth 1.0a and of version 1.1: a number of the provider's own. */
export class NumberedError extends Error {
  readonly status: number
  readonly code: number

  constructor(error: keyof typeof errors) {
    super(errors[error].message)
    this.name = 'NumberedError'
    this.status = errors[error].status
    this.code = errors[error].code
  }
}

/** Answers the refusals of the route behind it as OAuth 1.0a and version 1.1 have them. */
export async function answerNumberedErrors(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (thrown) {
    const error = thrown instanceof MalformedParameters ? new NumberedError('bad_authentication') : thrown
    if (!(error instanceof NumberedError)) throw error
    ctx.status = error.status
    ctx.body = { errors: [{ code: error.code, message: error.message }] }
  }
}

/** A refusal of version 2 (RFC 9457). */
export function answerProblem(ctx: Context, status: 401 | 403): void {
  const title = status === 401 ? 'Unauthorized' : 'Forbidden'
  ctx.status = status
  ctx.body = { title, type: 'about:blank', status, detail: title }
}
