import { setTimeout as delay } from 'node:timers/promises'
import { type Call, newCall } from '#bus'
import {
  type BuiltInLoginProvider,
  builtInLoginProviders,
  Fault,
  loginProviderDescriptions,
  type Provider,
} from '#contracts'
import { deviceKey } from './device-key.ts'
import type { SharedStack } from './stack.ts'

export interface SeededSite {
  readonly account: string
  readonly site_id: string
  readonly site: number
  readonly api_key: string
  readonly api_key_id: string
  readonly client: { readonly client_id: string; readonly client_secret: string; readonly redirect_uri: string }
  readonly providers: Readonly<Record<BuiltInLoginProvider, SeededProvider>>
}

export interface SeededProvider {
  readonly login_provider_identifier: string
  readonly authorize_uri: string
  readonly provider_callback: string
  readonly webhook_uris: Readonly<Record<string, string>>
  /** Our client ID at the provider. */
  readonly client_id: string
  readonly client_secret: string
  readonly options: Readonly<Record<string, string>>
}

/** Set-up waits longer than a caller would, so that a busy machine does not fail tests before they start. */
const call = (): Call => newCall({ withinMs: 30_000 })

let sites = 0

/** A site with an API key, a confidential client and every login provider, known to the simulator and to every gateway. */
export async function seedSite(
  serviceStack: SharedStack,
  options: { account?: string; redirect_uris?: [string, ...string[]]; microblog_protocol?: 'oauth1' | 'oauth2' } = {},
): Promise<SeededSite> {
  const { identity, provider_auth } = serviceStack
  const account = options.account ?? 'test'
  const siteId = `site-${process.pid}-${++sites}`
  const redirectUris = options.redirect_uris ?? ['https://shop.example.com/callback']
  const { site } = await identity.registerSite({ account, site_id: siteId, name: siteId }, call())
  const [key, registered, providers] = await Promise.all([
    identity.issueApiKey({ site, name: 'test' }, call()),
    provider_auth.registerClient({ site, name: 'test', kind: 'confidential', redirect_uris: redirectUris }, call()),
    seedProviders(
      serviceStack,
      { site, account, site_id: siteId },
      { protocol: options.microblog_protocol ?? 'oauth1' },
    ),
  ])
  const [redirectUri] = redirectUris
  const { client_id, client_secret } = registered
  if (client_secret === null) throw new Error('The confidential client has no secret.')
  await eachGatewayKnows(serviceStack, key.api_key)
  return {
    account,
    site_id: siteId,
    site,
    ...key,
    client: { client_id, client_secret, redirect_uri: redirectUri },
    providers,
  }
}

async function seedProviders(
  serviceStack: SharedStack,
  names: { site: number; account: string; site_id: string },
  ofMicroblog: Record<string, string>,
): Promise<SeededSite['providers']> {
  const optionsOf: Partial<Record<BuiltInLoginProvider, Record<string, string>>> = {
    microblog: ofMicroblog,
    device: deviceKey.options,
  }
  const seeded = builtInLoginProviders.map(async (name) => {
    return [name, await seedProvider(serviceStack, names, name, optionsOf[name] ?? {})] as const
  })
  // One entry for each simulated provider.
  return Object.fromEntries(await Promise.all(seeded)) as SeededSite['providers']
}

async function seedProvider(
  { provider_auth, simulator }: SharedStack,
  names: { site: number; account: string; site_id: string },
  provider: BuiltInLoginProvider,
  options: Record<string, string>,
): Promise<SeededProvider> {
  const clientId = `${names.site_id}-${provider}`
  const { clientSecret, hasOfficialAccount: officialAccount = false } = loginProviderDescriptions[provider]
  const signed = clientSecret === 'private_key'
  const newSecret = signed ? deviceKey.private_key : `secret-of-${names.site_id}-${provider}-0123456789`
  const client = { client_id: clientId, client_secret: newSecret }
  const save = () =>
    provider_auth.saveProviderSettings(
      { ...names, ...client, provider, options, official_account: officialAccount },
      call(),
    )
  // All providers of a site are saved at the same time, so on a slow machine one may wait too long for another one's lock.
  const settings = await save().catch((error: unknown) => {
    if (error instanceof Fault && error.fault === 'unavailable') return save()
    throw error
  })
  await registerAtSimulator(simulator, {
    provider,
    client_id: clientId,
    ...(signed ? { public_key: deviceKey.public_key, ...options } : { client_secret: newSecret }),
    redirect_uris: [settings.provider_callback],
    official_account: officialAccount,
    appsecret_proof_required: provider === 'social',
  })
  return { ...settings, client_id: clientId, client_secret: newSecret, options }
}

export async function registerAtSimulator(
  simulator: string,
  client: {
    provider: Provider
    client_id: string
    client_secret?: string
    redirect_uris: readonly string[]
    official_account?: boolean
    userinfo_approved?: boolean
    permissions?: readonly string[]
    public_key?: string
    team_id?: string
    key_id?: string
    notification_uri?: string
    appsecret_proof_required?: boolean
    api_v1?: boolean
    deauthorize_uri?: string | undefined
    data_deletion_uri?: string | undefined
    webhook_uri?: string
    webhook_secret?: string
  },
): Promise<void> {
  const response = await fetch(`${simulator}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client),
  })
  if (response.status !== 201) throw new Error(`The simulator rejected a client: ${await response.text()}`)
}

/** Waits until all gateways accept the key, which a notice announces within a second. */
async function eachGatewayKnows({ gateways }: SharedStack, apiKey: string): Promise<void> {
  const deadline = performance.now() + 5_000
  for (const gateway of gateways) {
    for (;;) {
      const response = await fetch(`${gateway}/appinfo`, { headers: { authorization: `Bearer ${apiKey}` } })
      if (response.status !== 401) break
      if (performance.now() > deadline) throw new Error('A gateway did not receive the new key in time.')
      await delay(20)
    }
  }
}
