import { clockToleranceSeconds } from '#http'
import type { ProviderTokens } from '../../domain/credential.ts'
import { type ProviderClient, ReauthenticationRequired } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'

/** Returns refreshed tokens if the access token has expired and can be refreshed without the end user. */
export async function refreshExpiredTokens(
  { refresh }: Pick<ProviderClient, 'refresh'>,
  settings: SiteProviderSettings,
  tokens: ProviderTokens,
): Promise<ProviderTokens> {
  const hasEnded =
    tokens.expires_at !== null && tokens.expires_at.getTime() <= Date.now() + clockToleranceSeconds * 1_000
  if (!hasEnded || refresh === undefined) return tokens
  try {
    return await refresh(settings, tokens)
  } catch (error) {
    if (error instanceof ReauthenticationRequired) return tokens
    throw error
  }
}
