import type { ProviderData } from '#contracts'

/**
 * The e-mail address in the claims `email` and `email_verified` (OpenID Connect Core 5.1). It counts as verified only
 * if the provider says so, with the boolean or with the text that older responses contain instead.
 */
export function toEmail(user: {
  readonly email?: string | undefined
  readonly email_verified?: unknown
}): ProviderData['email'] {
  if (user.email === undefined) return []
  return [{ email: user.email, verified: user.email_verified === true || user.email_verified === 'true' }]
}
