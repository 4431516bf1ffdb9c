import { z } from 'zod'
import type { ProviderTokens } from '../../domain/credential.ts'

const token = z.string().min(1).max(65_535)
const TokenEndpointResponse = z.object({
  access_token: token,
  refresh_token: token.nullable().default(null),
  expires_in: z.number().nonnegative().optional(),
})

/** Tokens that the provider has just issued. */
export type GrantedTokens = ProviderTokens & { readonly access_token: string }

/**
 * Parses a token response into a credential's tokens.
 *
 * @throws ZodError
 */
export function parseTokenResponse(body: unknown): GrantedTokens {
  const { access_token, refresh_token, expires_in } = TokenEndpointResponse.parse(body)
  const expiresAt = expires_in === undefined ? null : toExpiryDate(expires_in)
  return { access_token, access_secret: null, refresh_token, expires_at: expiresAt }
}

/** @param expiresIn seconds from now */
export function toExpiryDate(expiresIn: number): Date {
  return new Date(Date.now() + expiresIn * 1_000)
}
