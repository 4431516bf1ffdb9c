import { z } from 'zod'
import { Identifier, Provider, ProviderData, ProviderUserId, Site } from '#contracts'
import type { NativeLogin, ProviderLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'

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
  /** Null: the login has no tokens that we can use. */
  credential: z
    .object({
      access_token: z.string().nullable(),
      access_secret: z.string().nullable(),
      refresh_token: z.string().nullable(),
      expires_at: z.coerce.date().nullable(),
    })
    .nullable(),
  /** The tokens of a native app, which only the app refreshes and revokes. */
  app_tokens: z
    .object({
      client_access_token: z.string().nullable(),
      client_access_secret: z.string().nullable().default(null),
      client_refresh_token: z.string().nullable(),
      client_expires_at: z.coerce.date().nullable(),
    })
    .nullable()
    .default(null),
  /** Whether an app received the tokens: then a failed login does not revoke them. */
  from_app: z.boolean().default(false),
  data: ProviderData,
  friendship_status: z.boolean().optional(),
  /** Unix time in milliseconds. */
  supplied_at_ms: z.number(),
})
export type SuppliedLogin = z.infer<typeof SuppliedLogin>

export function toSuppliedLogin(
  {
    login,
    settings,
    providerLogin,
  }: { login: string; settings: SiteProviderSettings; providerLogin: ProviderLogin | NativeLogin },
  { link_to = null, existing_users_only = false }: Partial<Pick<SuppliedLogin, 'link_to' | 'existing_users_only'>> = {},
): SuppliedLogin {
  const { site, provider } = settings
  const { provider_user_id, credential, data, friendship_status } = providerLogin
  const app = 'app_tokens' in providerLogin ? { app_tokens: providerLogin.app_tokens, from_app: true } : webLogin
  return {
    login,
    site,
    provider,
    provider_user_id,
    link_to,
    existing_users_only,
    credential,
    ...app,
    data,
    friendship_status,
    supplied_at_ms: Date.now(),
  }
}

const webLogin = { app_tokens: null, from_app: false } as const
