import { type Context, MalformedParameters } from '#http'
import { newToken } from '#runtime'

/** A refusal of the Graph API: `error` is an object, and what counts in it is the number. */
export class GraphError extends Error {
  readonly code: number
  readonly type: string
  readonly subcode: number | undefined

  constructor(code: number, message: string, options: { type?: string; subcode?: number } = {}) {
    super(message)
    this.name = 'GraphError'
    this.code = code
    this.type = options.type ?? 'OAuthException'
    this.subcode = options.subcode
  }
}

/** Answers the refusals of the route behind it, always with 400 and with a challenge that is none of RFC 9110's form. */
export async function answerGraphErrors(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    const { code, message, type, subcode } = refusalIn(error)
    const word = code === 190 ? 'invalid_token' : 'invalid_request'
    ctx.status = 400
    ctx.set('WWW-Authenticate', `OAuth "Facebook Platform" "${word}" "${message.replace(/[^\x20-\x7e]|"/g, '?')}"`)
    ctx.body = { error: { message, type, code, error_subcode: subcode, fbtrace_id: newToken('A', 16) } }
  }
}

function refusalIn(error: unknown): GraphError {
  if (error instanceof MalformedParameters) return new GraphError(100, 'Invalid parameter')
  if (error instanceof GraphError) return error
  throw error
}
