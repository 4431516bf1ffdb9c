import type { LoginReason } from '#contracts'

/** The `error_description` of each error (OpenID Connect Core 3.1.2.6, RFC 6749 4.1.2.1). */
export const interactionErrors = {
  login_required: 'The user has to log in.',
  interaction_required: 'The user was not asked for the scope.',
  consent_required: 'The user has to accept documents of the site.',
  access_denied: 'The user is blocked.',
} as const

/**
 * The end user has to interact, but the request excludes that, or another user logged in (OpenID Connect Core 3.1.2.6), or is
 * blocked.
 */
export class InteractionRequired extends Error {
  override readonly name = 'InteractionRequired'
  readonly error: keyof typeof interactionErrors
  readonly description: string
  /** The reason in the log of logins; null: the request started no login. */
  readonly reason: LoginReason | null

  constructor(error: InteractionRequired['error'], reason: LoginReason | null = null) {
    const description = interactionErrors[error]
    super(`${error}: ${description}`)
    this.error = error
    this.description = description
    this.reason = reason
  }
}

export function createLoginRequiredError(reason: LoginReason | null = null): InteractionRequired {
  return new InteractionRequired('login_required', reason)
}
