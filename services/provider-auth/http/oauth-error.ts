import type { RejectionReason } from '#contracts'

/** An error response of the token and userinfo endpoints (RFC 6749 5.2, RFC 6750 3.1). */
export class OAuthError extends Error {
  readonly status: number
  readonly code: string
  readonly description: string
  /** The `WWW-Authenticate` header, if any. */
  readonly challenge: string | undefined

  /** When to retry, for temporary errors. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, code: string, description: string, challenge?: string, retryAfterSeconds?: number) {
    super(`${code}: ${description}`)
    this.name = 'OAuthError'
    this.status = status
    this.code = code
    this.description = description
    this.challenge = challenge
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The reason for the site's members, who find it by request ID. It is never sent to the caller. */
  reason: RejectionReason = 'request_invalid'

  withReason(reason: RejectionReason): this {
    this.reason = reason
    return this
  }
}

export function invalidRequest(description: string): OAuthError {
  return new OAuthError(400, 'invalid_request', description)
}
