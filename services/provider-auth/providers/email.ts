import type { ProviderData } from '#contracts'

/**
 * The e-mail address of the claims `email` and `email_verified` (OpenID Connect Core 5.1). It is verified only when the provider
 * says so: by the boolean, or by the text that older answers have in its place.
 */
export function toEmail(user: {
  readonly email?: string | undefined
  readonly email_verified?: unknown
}): ProviderData['email'] {
  if (user.email === undefined) return []
  return [{ email: user.email, verified: user.email_verified === true || user.email_verified === 'true' }]
}
