import { z } from 'zod'
import { Identifier, Provider, ProviderData, ProviderUserId, Site } from '#contracts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import type { ProviderLogin } from '../providers/provider.ts'

/** What a provider supplied at a login, or at the link of an account. */
export const SuppliedLogin = z.object({
  /** The login's ID: recording it twice counts once. */
  login: z.uuid(),
  site: Site,
  provider: Provider,
  provider_user_id: ProviderUserId,
  /** The user to link the account to, which is not a login; null for a login. */
  link_to: Identifier.nullable(),
  /** Whether the login is rejected if the account has no user. */
  existing_users_only: z.boolean().default(false),
  credential: z.object({
    access_token: z.string().nullable(),
    access_secret: z.string().nullable(),
    refresh_token: z.string().nullable(),
    expires_at: z.coerce.date().nullable(),
  }),
  data: ProviderData,
  friendship_status: z.boolean().optional(),
  /** Unix time in milliseconds. */
  supplied_at_ms: z.number(),
})
export type SuppliedLogin = z.infer<typeof SuppliedLogin>

export function toSuppliedLogin(
  { login, settings, providerLogin }: { login: string; settings: SiteProviderSettings; providerLogin: ProviderLogin },
  { link_to = null, existing_users_only = false }: Partial<Pick<SuppliedLogin, 'link_to' | 'existing_users_only'>> = {},
): SuppliedLogin {
  const { site, provider } = settings
  const { provider_user_id, credential, data, friendship_status } = providerLogin
  return {
    ...{ login, site, provider, provider_user_id, link_to, existing_users_only },
    ...{ credential, data, friendship_status, supplied_at_ms: Date.now() },
  }
}
