import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { type BusClients, connectBus, createClients, newCall } from '#bus'
import { type BuiltInLoginProvider, builtInLoginProviders, Fault, loginProviderDescriptions } from '#contracts'
import { SetupError } from '#local'
import { createLogger } from '#runtime'
import { demoBusInterface } from './demo-bus.ts'
import type { Secrets } from './secrets.ts'
import type { Wiring } from './wiring.ts'

/** A customer's site of the demo, as `.local/environment.json` shows it. */
export interface DemoSite {
  readonly account: string
  readonly site_id: string
  readonly api_key: string
  readonly clients: readonly [DemoClient]
  readonly providers: Readonly<Record<BuiltInLoginProvider, DemoProvider>>
}

export interface DemoClient {
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
}

export interface DemoProvider {
  readonly identifier: string
  /** The authorization endpoint's address for the site and provider, without query. */
  readonly authorize: string
}

const account = 'demo'
const keyDeadlineMs = 10_000

/** Data of a site that only its creation returns. */
const StoredSite = z.object({
  api_key: z.string(),
  client: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    redirect_uris: z.array(z.string()),
    post_logout_redirect_uris: z.array(z.string()).default([]),
  }),
})

interface Deps extends BusClients<typeof demoBusInterface.calls> {
  readonly wiring: Wiring
  readonly secrets: Secrets
}

/** Creates two sites with every login provider at the first start, and finds them at the next. */
export async function seedDemo(wiring: Wiring, secrets: Secrets): Promise<readonly [DemoSite, DemoSite]> {
  const { name } = demoBusInterface
  await using bus = await connectBus(wiring.natsUrlOf(name), { name, logger: createLogger(name, 'silent') })
  const deps: Deps = {
    wiring,
    secrets,
    ...createClients(bus, demoBusInterface, new Registry()),
  }
  try {
    return await Promise.all([
      seedSite({ site_id: 'shop', name: 'Demo shop' }, deps),
      seedSite({ site_id: 'other', name: 'Another site' }, deps),
    ])
  } catch (cause) {
    if (cause instanceof SetupError) throw cause
    const reason = cause instanceof Error ? cause.message : cause
    throw new SetupError(`Could not create the demo: ${reason} See the services' logs for the cause.`, { cause })
  }
}

async function seedSite({ site_id, name }: { site_id: string; name: string }, deps: Deps): Promise<DemoSite> {
  const { site, created } = await deps.identity.registerSite({ account, site_id, name }, newCall())
  const secretName = `site ${site_id} of the demo in ${deps.wiring.postgresHome}`
  const text = created ? undefined : deps.secrets.read(secretName)
  const stored = text === undefined ? undefined : StoredSite.parse(JSON.parse(text))

  const addresses = {
    redirect_uris: [`${deps.wiring.addresses.shop}/callback`, 'http://localhost:9/other?keep=1'],
    post_logout_redirect_uris: [`${deps.wiring.addresses.shop}/`],
  }
  const [apiKey, registered, ...providers] = await Promise.all([
    stored?.api_key ?? issueKey(site, deps),
    stored !== undefined && addressesOf(stored.client) === addressesOf(addresses)
      ? stored.client
      : registerClient({ site, name, ...addresses }, deps),
    ...builtInLoginProviders.map(
      async (provider) => [provider, await connectProvider(provider, { site, site_id, name }, deps)] as const,
    ),
  ])
  deps.secrets.write(secretName, JSON.stringify({ api_key: apiKey, client: registered }))
  await waitForGateway(apiKey, deps.wiring)
  return {
    account,
    site_id,
    api_key: apiKey,
    clients: [registered],
    // One entry of each of them.
    providers: Object.fromEntries(providers) as DemoSite['providers'],
  }
}

async function issueKey(site: number, { identity }: Deps): Promise<string> {
  try {
    const { api_key } = await identity.issueApiKey({ site, name: 'Demo' }, newCall())
    return api_key
  } catch (error) {
    if (!(error instanceof Fault) || error.fault !== 'invalid_parameter') throw error
    throw new SetupError(
      'The demo has two API keys in this database, but their values are lost. Use another database in DATABASE_URL.',
      { cause: error },
    )
  }
}

function addressesOf({ redirect_uris, post_logout_redirect_uris }: Omit<DemoClient, 'client_id' | 'client_secret'>) {
  return [...redirect_uris, '', ...post_logout_redirect_uris].join(' ')
}

async function registerClient(
  client: { site: number; name: string; redirect_uris: string[]; post_logout_redirect_uris: string[] },
  { provider_auth }: Deps,
): Promise<DemoClient> {
  const { client_id, client_secret } = await provider_auth.registerClient(
    { ...client, kind: 'confidential' },
    newCall(),
  )
  if (client_secret === null) throw new Error('a confidential client has a secret')
  const { redirect_uris, post_logout_redirect_uris } = client
  return { client_id, client_secret, redirect_uris, post_logout_redirect_uris }
}

/** Stores provider settings for the site and registers its client at the simulator, which loses it when it stops. */
async function connectProvider(
  provider: BuiltInLoginProvider,
  { site, site_id, name }: { site: number; site_id: string; name: string },
  { wiring, secrets, provider_auth }: Deps,
): Promise<DemoProvider> {
  const knownAs = {
    provider,
    client_id: `demo-${site_id}-${provider}`,
    official_account: loginProviderDescriptions[provider].hasOfficialAccount === true,
  }
  const signs = loginProviderDescriptions[provider].clientSecret === 'private_key'
  const newSecret = signs ? newPrivateKey : () => randomBytes(32).toString('base64url')
  const clientSecret = secrets.getOrCreate(`client of ${site_id} at ${provider}`, newSecret)
  const options = {
    ...(signs && deviceOptions),
    // Native apps can use the demo's own client.
    ...('app_client_ids' in loginProviderDescriptions[provider].options && { app_client_ids: knownAs.client_id }),
  }
  const settings = await provider_auth.saveProviderSettings(
    { site, account, site_id, ...knownAs, client_secret: clientSecret, options },
    newCall(),
  )
  const { provider_callback, other_callbacks } = await provider_auth.readProviderSettings({ site, provider }, newCall())
  const proof = signs ? { ...deviceOptions, public_key: publicKeyOf(clientSecret) } : { client_secret: clientSecret }
  const response = await fetch(`${wiring.addresses.simulator}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...knownAs,
      ...proof,
      name,
      redirect_uris: [provider_callback, ...other_callbacks],
      ...webhookFields(provider, settings.webhook_uris),
    }),
  })
  if (!response.ok) throw new SetupError(`The provider simulator rejected the demo's client: ${await response.text()}`)
  return { identifier: settings.login_provider_identifier, authorize: settings.authorize_uri }
}

const deviceOptions = { team_id: 'DEMOTEAM01', key_id: 'DEMOKEY001' } as const

/** In the format that the device provider offers for download. */
function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function publicKeyOf(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString()
}

/** Webhook addresses, by the simulator's field names. */
function webhookFields(provider: BuiltInLoginProvider, uris: Readonly<Record<string, string>>) {
  if (provider === 'device' || provider === 'search') return { notification_uri: uris.events }
  return { deauthorize_uri: uris.deauthorize, data_deletion_uri: uris.data_deletion }
}

/** Waits until the gateway accepts a new key, which it receives by a notice. */
async function waitForGateway(apiKey: string, { addresses }: Wiring): Promise<void> {
  const authorization = `Bearer ${apiKey}`
  for (const until = Date.now() + keyDeadlineMs; Date.now() < until; await sleep(20)) {
    const response = await fetch(`${addresses.web_api}/api/appinfo`, { headers: { authorization } })
    if (response.ok) return
  }
  throw new SetupError("The gateway does not accept the demo's API key. `npm run reset` makes a new demo.")
}
