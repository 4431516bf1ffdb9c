/** The `error_description` of each error (OpenID Connect Core 3.1.2.6). */
export const interactionErrors = {
  login_required: 'The user has to log in.',
  interaction_required: 'The user was not asked for the scope.',
} as const

/**
 * The end user has to interact, but the request excludes that, or another user logged in (OpenID Connect Core 3.1.2.6).
 */
export class InteractionRequired extends Error {
  override readonly name = 'InteractionRequired'
  readonly error: keyof typeof interactionErrors
  readonly description: string

  constructor(error: InteractionRequired['error']) {
    const description = interactionErrors[error]
    super(`${error}: ${description}`)
    this.error = error
    this.description = description
  }
}

export function createLoginRequiredError(): InteractionRequired {
  return new InteractionRequired('login_required')
}
