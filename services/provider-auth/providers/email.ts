import type { ProviderData } from '#contracts'

/**
 * The e-mail address of the claims `email` and `email_verified` (OpenID Connect Core 5.1). It is verified only when the provider
 * says so: by the boolean, or by the text that older answers have in its place.
 */
export function toEmail(told: {
  readonly email?: string | undefined
  readonly email_verified?: unknown
}): ProviderData['email'] {
  if (told.email === undefined) return []
  return [{ email: told.email, verified: told.email_verified === true || told.email_verified === 'true' }]
}
