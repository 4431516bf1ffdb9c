import type { RejectionReason } from '#contracts'
import { type OAuthErrorName, oauthErrors } from './oauth-errors.ts'

interface OAuthErrorDetails {
  /** The parameter that the description names. */
  readonly parameter?: string
  /** The error that caused it. */
  readonly cause?: unknown
  /** The `WWW-Authenticate` header. */
  readonly challenge?: string | undefined
  /** When to retry, for temporary errors. */
  readonly retryAfterSeconds?: number
}

/** An error response of an endpoint for programs (RFC 6749 5.2, RFC 6750 3.1). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  /** Its name among all errors; programs outside see `code`. */
  readonly key: OAuthErrorName
  status: number
  readonly code: string
  readonly description: string
  body: Readonly<Record<string, string>>
  challenge: string | undefined
  /** The site that the request concerns, if it is known. */
  site: number | undefined
  readonly retryAfterSeconds: number | undefined
  /** The login whose code was to be exchanged; null: unknown. */
  loginId: string | null = null

  constructor(name: OAuthErrorName, { parameter = '', challenge, retryAfterSeconds, cause }: OAuthErrorDetails = {}) {
    const { status, error, description } = oauthErrors[name]
    const text = description.replace('{parameter}', parameter)
    super(`${error}: ${text}`, { cause })
    this.key = name
    this.status = status
    this.code = error
    this.description = text
    this.body = { error, error_description: text }
    this.challenge = challenge
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The reason for the site's members, who find it by request ID. It is never sent to the caller. */
  reason: RejectionReason = 'request_invalid'

  withReason(reason: RejectionReason): this {
    this.reason = reason
    return this
  }

  ofSite(site: number | undefined): this {
    this.site = site
    return this
  }

  ofLogin(loginId: string | null): this {
    this.loginId = loginId
    return this
  }

  /** Replaces parts of the response, as compatibility options require. */
  withResponse(response: Partial<Pick<OAuthError, 'status' | 'body' | 'challenge'>>): this {
    return Object.assign(this, response)
  }
}
