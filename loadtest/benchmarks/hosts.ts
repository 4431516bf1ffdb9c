import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import knex from 'knex'
import { z } from 'zod'
import { ensurePrograms, SetupError } from '#local'
import { seedDemo } from '../../deploy/local/demo.ts'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { resolveLocalHosts } from '../../testing/local-hosts.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import { buildLoginUrl, inParallel, openLoginMeter, runLogins } from './login-meter.ts'

/**
 * `npm run bench:hosts`: CPU time of logins and memory of provider-auth before and after many sites have hosts of their own, on the
 * installation's host and on those of sites.
 */
const usage = 'Usage: npm run bench:hosts [-- --hosts 20000]'
const Options = z.object({ hosts: z.coerce.number().pipe(z.int().min(1)).default(20_000) })

const logins = 400
const starts = 3_000
/** Of the demo's site. */
const ownHost = 'login.shop.localhost'

const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const { hosts } = Options.parse(parseArgs({ options: { hosts: { type: 'string' } } }).values)
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'hosts-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  stack.use(resolveLocalHosts())
  const environment = { LOGINS_PER_ADDRESS: '1000000' }
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways: 1, environment, step, interruption }))
  const { wiring, secrets } = serviceStack
  const [demo] = await seedDemo(wiring, secrets)
  const { measure, formatMeasurements } = stack.use(openLoginMeter(directory, serviceStack, step))
  const shared = buildLoginUrl(
    demo.providers.search?.authorize ?? '',
    demo.clients[0].client_id,
    demo.clients[0].redirect_uris[0] ?? '',
  )
  const own = new URL(shared)
  own.hostname = ownHost

  await measure('complete, warm-up', logins, () => runLogins(logins, () => shared))
  await measure('complete, no site has a host', logins, () => runLogins(logins, () => shared))
  await measure('started, no site has a host', starts, () => startLogins(shared))
  const database = knex({ client: 'pg', connection: wiring.database_urls.get('provider_auth') ?? '' })
  stack.defer(() => database.destroy())
  await step(`${hosts.toLocaleString('en')} hosts`, () => insertHosts(hosts))
  await measure('started on the host of the installation', starts, () => startLogins(shared))
  await measure('started on a host of the site', starts, () => startLogins(own.href))
  await measure('complete on the host of the installation', logins, () => runLogins(logins, () => shared))
  process.stdout.write(formatMeasurements())

  async function insertHosts(count: number): Promise<void> {
    await database.raw(
      `with newest as (update hosts_revision set revision = revision + :count + 1 returning revision)
       insert into site_hosts (site, host, account, site_id, purpose, state, token, revision, next_check_at)
       select 1000000 + n, 'login-' || n || '.customer.example', 'demo', 'site-' || n, 'login', 'active', md5(n::text),
         revision - n, now() + interval '1 day'
       from generate_series(1, :count) as n, newest
       union all
       select site, :host, account, site_id, 'login', 'active', 'own', revision, now() + interval '1 day'
       from newest, (select site, account, site_id from provider_settings
         where login_provider_identifier = :identifier) as demo`,
      { count, host: ownHost, identifier: new URL(shared).pathname.split('/').at(-1) ?? '' },
    )
  }
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error('%s\n%s', usage, z.prettifyError(error))
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

/** Starts logins, up to the redirect to the provider. */
function startLogins(url: string): Promise<void> {
  return inParallel(starts, async () => {
    const { status } = await fetch(url, { redirect: 'manual' })
    if (status !== 302) throw new Error(`A login was answered with ${status}.`)
  })
}
