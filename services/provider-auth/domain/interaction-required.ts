/**
 * The end user has to interact, but the request excludes that, or another user logged in (OpenID Connect Core 3.1.2.6).
 */
export class InteractionRequired extends Error {
  readonly error: 'login_required' | 'interaction_required'
  readonly description: string

  constructor(error: InteractionRequired['error'], description: string) {
    super(`${error}: ${description}`)
    this.name = 'InteractionNeeded'
    this.error = error
    this.description = description
  }
}

export function createLoginRequiredError(): InteractionRequired {
  return new InteractionRequired('login_required', 'The user has to log in.')
}
