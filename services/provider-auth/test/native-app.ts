import { beforeAll } from 'vitest'
import { z } from 'zod'
import { loginProviderDescriptions } from '#contracts'
import { registerAtSimulator, type SeededSite, type SharedStack } from '#testing'
import { deviceKey } from '../../../testing/device-key.ts'
import { createSiteFixture, type SiteFixture } from './site-fixture.ts'

/** The providers that native apps can log in with. */
export const nativeProviders = ['messaging', 'portal', 'social', 'search', 'device'] as const
export type NativeProvider = (typeof nativeProviders)[number]

const SdkTokens = z.object({
  access_token: z.string().optional(),
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
  id_token: z.string(),
})
export type SdkTokens = z.output<typeof SdkTokens>

/** What the endpoint answers: a one-time token, or an error. */
export const Injected = z.object({ status: z.literal('authorized'), token: z.string(), expires_in: z.literal(300) })

/** An app of a site, with a client of its own at each provider. */
export function createNativeApp({ auth, simulator, provider_auth, call }: SharedStack, site: SeededSite) {
  const appClientOf = (provider: NativeProvider) => `app-of-${site.site_id}-${provider}`

  /** Saves the provider settings with these client IDs of apps; by default that of this app. */
  const allowApps = async (provider: NativeProvider, clientIds = appClientOf(provider)): Promise<void> => {
    const { account, site_id, site: siteNumber, providers } = site
    const { client_id, client_secret, options } = providers[provider]
    const { hasOfficialAccount = false } = loginProviderDescriptions[provider]
    await provider_auth.saveProviderSettings(
      {
        site: siteNumber,
        account,
        site_id,
        provider,
        client_id,
        client_secret,
        official_account: hasOfficialAccount,
        options: { ...options, ...(clientIds !== '' && { app_client_ids: clientIds }) },
      },
      call(),
    )
  }
  const register = (provider: NativeProvider, clientId: string) =>
    registerAtSimulator(simulator, {
      provider,
      client_id: clientId,
      redirect_uris: ['https://app.example.com/'],
      ...(provider === 'device'
        ? { public_key: deviceKey.public_key, ...deviceKey.options }
        : { client_secret: `secret-of-${clientId}` }),
    })
  /** What the SDK returns after a login. */
  const logInBySdk = async (
    provider: NativeProvider,
    login: { user: string; client_id?: string; nonce?: string; server_client_id?: string },
  ): Promise<SdkTokens> => {
    const response = await fetch(`${simulator}/${provider}/sdk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: appClientOf(provider), ...login }),
    })
    return SdkTokens.parse(await response.json())
  }
  const addressOf = (provider: string, base = auth) => `${base}/${site.account}/${site.site_id}/${provider}/inject`
  const inject = (provider: NativeProvider, body: unknown, base = auth): Promise<Response> =>
    fetch(addressOf(provider, base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  /** As `inject`, which succeeds. */
  const fetchToken = async (provider: NativeProvider, body: unknown): Promise<string> => {
    const response = await inject(provider, body)
    return Injected.parse(await response.json()).token
  }
  const redeem = async (token: string): Promise<string> => {
    const { identifier } = await provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
    return identifier
  }
  return {
    appClientOf,
    allowApps,
    register,
    logInBySdk,
    addressOf,
    inject,
    fetchToken,
    redeem,
  }
}

export type NativeApp = ReturnType<typeof createNativeApp>

/** A site with an app that is registered at each provider and allowed. */
export function createNativeAppFixture(
  fixture: SiteFixture = createSiteFixture(),
): SiteFixture & { readonly app: NativeApp } {
  // Filled before the first test, as the fixture.
  const app = {} as NativeApp
  beforeAll(async () => {
    Object.assign(app, createNativeApp(fixture.serviceStack, fixture.site))
    for (const provider of nativeProviders) {
      await app.register(provider, app.appClientOf(provider))
      await app.allowApps(provider)
    }
  })
  return { ...fixture, app }
}
