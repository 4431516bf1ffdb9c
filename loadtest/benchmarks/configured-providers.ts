import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { connectBus, createClient, newCall } from '#bus'
import { loadCatalog } from '#catalog'
import { identityContract, type ProviderDefinition, providerAuthContract } from '#contracts'
import { ensurePrograms, SetupError } from '#local'
import { createLogger } from '#runtime'
import { seedDemo } from '../../deploy/local/demo.ts'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { registerAtSimulator } from '../../testing/seed.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import { atOnce, buildLoginUrl, inParallel, openLoginMeter, runLogins } from './login-meter.ts'

/**
 * `npm run bench:providers`: CPU time and memory of logins before and after many sites have configured providers of their own,
 * for a built-in provider and for configured ones, with settings that are in memory and that are not.
 */
const usage = 'Usage: npm run bench:providers [-- --sites 10000]'
const Options = z.object({ sites: z.coerce.number().pipe(z.int().min(10)).default(10_000) })

const providersPerSite = 3
const logins = 300
const redirectUri = 'https://shop.example.com/callback'
const ownClient = { client_id: 'app-of-the-site', client_secret: 'a-secret-of-the-provider' }

const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const options = Options.parse(parseArgs({ options: { sites: { type: 'string' } } }).values)
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'configured-providers-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  // All logins come from one address.
  const environment = { LOGINS_PER_ADDRESS: '1000000' }
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways: 1, environment, step, interruption }))
  const { wiring, secrets } = serviceStack
  const [demo] = await seedDemo(wiring, secrets)
  const { measure, formatMeasurements } = stack.use(openLoginMeter(directory, serviceStack, step))
  const connect = async (name: string) =>
    stack.use(await connectBus(wiring.natsUrlOf(name), { name, logger: createLogger(name, 'silent') }))
  const identity = createClient(await connect('demo'), identityContract, new Registry())
  const providerAuth = createClient(await connect('console'), providerAuthContract, new Registry())

  // Their discovery documents are read once; all sites then have the addresses.
  const definitions = await Promise.all(
    loadCatalog()
      .filter(({ definition }) => definition.protocol.type === 'oidc')
      .slice(0, providersPerSite)
      .map(async ({ name, definition }) => ({ name, definition: await withEndpoints(name, definition) })),
  )
  const builtIn = buildLoginUrl(
    demo.providers.search?.authorize ?? '',
    demo.clients[0].client_id,
    demo.clients[0].redirect_uris[0] ?? '',
  )
  await measure('built-in, no site has providers of its own', logins, () => runLogins(logins, () => builtIn))
  const urls: string[] = []
  await step('Sites', async (note) => {
    for (let made = 0; made < options.sites; made += atOnce) {
      interruption.throwIfAborted()
      note(`${made.toLocaleString('en')} of ${options.sites.toLocaleString('en')}`)
      const numbers = Array.from({ length: Math.min(atOnce, options.sites - made) }, (_, at) => made + at)
      urls.push(...(await Promise.all(numbers.map(createSite))).flat())
    }
  })
  await measure('built-in', logins, () => runLogins(logins, () => builtIn))
  // Evenly over all sites.
  const sample = urls.filter((_, at) => at % Math.max(1, Math.floor(urls.length / logins)) === 0)
  await measure('configured, each of another site', logins, () =>
    runLogins(logins, (n) => sample[n % sample.length] ?? ''),
  )
  await measure('configured, the same again', logins, () => runLogins(logins, (n) => sample[n % sample.length] ?? ''))
  await measure('started at every configured provider', urls.length, () =>
    inParallel(urls.length, async (n) => {
      const { status } = await fetch(urls[n] ?? '', { redirect: 'manual' })
      if (status !== 302) throw new Error(`A login was answered with ${status}.`)
    }),
  )
  await measure('built-in, at the end', logins, () => runLogins(logins, () => builtIn))
  process.stdout.write(formatMeasurements())

  async function withEndpoints(name: string, definition: ProviderDefinition): Promise<ProviderDefinition> {
    const site = { account: 'demo', site_id: `discovery-${name.replaceAll('_', '-')}` }
    const { site: number } = await identity.registerSite({ ...site, name }, newCall())
    const { endpoints } = await providerAuth.changeProviderSettings(
      { ...site, site: number, provider: name, expected_revision: 0, ...ownClient, definition },
      newCall(),
    )
    const { protocol } = definition
    if (protocol.type !== 'oidc' || endpoints === null) throw new Error(`${name} has no addresses.`)
    return { ...definition, protocol: { ...protocol, endpoints } }
  }

  /** Creates a site with its providers, and returns the URLs of their logins. */
  async function createSite(number: number): Promise<string[]> {
    const name = { account: 'demo', site_id: `own-${number}` }
    const { site } = await identity.registerSite({ ...name, name: name.site_id }, newCall())
    const { client_id } = await providerAuth.registerClient(
      { site, name: 'Shop', kind: 'confidential', redirect_uris: [redirectUri] },
      newCall(),
    )
    return Promise.all(
      definitions.map(async ({ name: provider, definition }) => {
        const client = { ...ownClient, client_id: `${provider}-${number}` }
        const saved = await providerAuth.changeProviderSettings(
          { ...name, site, provider, expected_revision: 0, ...client, definition },
          newCall(),
        )
        const registered = { provider, ...client, redirect_uris: [saved.provider_callback] }
        await registerAtSimulator(wiring.addresses.simulator, registered)
        return buildLoginUrl(saved.authorize_uri ?? '', client_id, redirectUri)
      }),
    )
  }
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error('%s\n%s', usage, z.prettifyError(error))
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()
