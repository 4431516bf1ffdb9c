import { createHash } from 'node:crypto'
import { type Context, MalformedParameters } from '#http'

/** A refusal of a token endpoint or its like, answered as RFC 6749 5.2 says. */
export class OAuthError extends Error {
  readonly error: string
  readonly status: number

  constructor(error: string, description: string, status = 400) {
    super(description)
    this.name = 'OAuthError'
    this.error = error
    this.status = status
  }
}

/** What is wrong with an authorization request, told to the application by way of the browser. */
export interface Problem {
  readonly error: string
  readonly description: string
}

/** Answers the refusals of the route behind it in JSON. */
export async function answerOAuthErrors(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    const refusal = refusalIn(error)
    ctx.status = refusal.status
    ctx.body = { error: refusal.error, error_description: refusal.message }
  }
}

/** The refusal in what a route threw; anything else is thrown on. */
export function refusalIn(error: unknown): OAuthError {
  if (error instanceof MalformedParameters) return new OAuthError('invalid_request', error.message)
  if (error instanceof OAuthError) return error
  throw error
}

/** OpenID Connect Core 3.1.3.6: `at_hash` of a token signed with RS256. */
export function leftHalfHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
}

export type ChallengeMethod = 'plain' | 'S256'

/** RFC 7636 4.6. */
export function fitsChallenge(verifier: string, challenge: string, method: ChallengeMethod): boolean {
  return challenge === (method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'))
}

/** The token of `Authorization: Bearer` (RFC 6750 2.1). */
export function bearerToken(ctx: Context): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(ctx.get('Authorization'))?.[1]
}

/** A space-separated list, each word once. */
export function wordsOf(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(' ').filter((word) => word !== ''))]
}

/** Unix time in whole seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}
