import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Registry } from 'prom-client'
import { connectBus, createClient, newCall } from '#bus'
import { type ProviderData, profileContract } from '#contracts'
import { openDatabase } from '#database'
import { ensurePrograms, SetupError } from '#local'
import { createLogger } from '#runtime'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import type { Wiring } from '../../deploy/local/wiring.ts'
import { prepare } from '../seed/prepare.ts'
import type { PreparedSite } from '../seed/prepared.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import type { CostCase } from './cost/cases.ts'
import { measureCase, measureIdle } from './cost/measure.ts'
import { openMeter, type Reading } from './cost/meter.ts'

/**
 * `npm run bench:personal-data`: the CPU time of reads of profiles by the Web API, with and without the encryption of personal data, in
 * turns in one run.
 */
const rounds = 4
const users = 1_000
const columns = ['api-gateway', 'identity', 'profile', 'postgres', 'nats'] as const
const forms = { encrypted: 'yes', 'not encrypted': 'no' } as const
type Form = keyof typeof forms

const logger = createLogger('benchmark', 'silent')
const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'personal-data-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways: 1, step, interruption }))
  const { wiring } = serviceStack
  const { sites } = await step('Sites', (note) =>
    prepare(serviceStack, { sites: 1, users, logs_in: false, requests_per_window: 1_000_000 }, note),
  )
  const [site] = sites
  if (site === undefined) throw new Error('There is no site.')
  await step('Profiles', () => storeProfiles(wiring, site))

  const meter = stack.use(openMeter(directory, serviceStack))
  const idle = await step('Idle', () => measureIdle(meter))
  const reading: CostCase = { title: 'reads of a profile', times: 4_000, once: (_, n) => readProfile(wiring, site, n) }
  const results: { readonly form: Form; readonly used: Reading }[] = []
  for (let round = 1; round <= rounds; round++)
    // Each goes first in turn.
    for (const form of round % 2 === 0
      ? (['not encrypted', 'encrypted'] as const)
      : (['encrypted', 'not encrypted'] as const)) {
      await step(`Reads ${round} of ${rounds}, ${form}`, async () => {
        await convert(wiring, form)
        results.push({ form, used: await measureCase(reading, { meter, site, idle }) })
      })
    }
  const rows = (['encrypted', 'not encrypted'] as const).map((form) => toRow(form, results))
  process.stdout.write(`\n${machineFacts()}\n\n${formatTable(['CPU time of one read, ms', ...columns, 'all'], rows)}\n`)
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

/** Stores the profile of each user of a site, as at a login. */
async function storeProfiles(wiring: Wiring, { identifiers }: PreparedSite): Promise<void> {
  await using database = await openDatabase(
    { DATABASE_URL: wiring.database_urls.get('identity') ?? '' },
    { name: 'benchmark', logger },
  )
  const { site } = await database.knex('users').where({ identifier: identifiers[0] }).first('site')
  await using bus = await connectBus(wiring.natsUrlOf('provider-auth'), { name: 'provider-auth', logger })
  const profiles = createClient(bus, profileContract, new Registry())
  for (const identifier of identifiers) {
    const data: ProviderData = {
      profile: { full_name: `Person ${identifier}`, user_name: identifier.slice(0, 12), city: 'Kyoto' },
      follow: null,
      email: [{ email: `${identifier}@example.com`, verified: true }],
      phone: [],
    }
    const link = { site, identifier, link_id: randomUUID(), provider: 'messaging' as const }
    await profiles.recordProviderData({ ...link, data, obtained_at: new Date().toISOString() }, newCall())
  }
}

/** Encrypts or decrypts what is stored, with the operators' command. */
async function convert(wiring: Wiring, form: Form): Promise<void> {
  const env = {
    ...process.env,
    DATABASE_URL: wiring.database_urls.get('profile'),
    ENCRYPTION_KEYS: wiring.encryption_keys,
    ENCRYPT_PERSONAL_DATA: forms[form],
  }
  await promisify(execFile)(process.execPath, ['services/profile/encryption.ts', 'rotate'], { env })
}

async function readProfile(wiring: Wiring, { api_key, identifiers }: PreparedSite, n: number): Promise<void> {
  const identifier = identifiers[n % identifiers.length] ?? ''
  const query = new URLSearchParams({ identifier })
  const response = await fetch(`${wiring.addresses.web_api}/api/profile?${query}`, {
    headers: { authorization: `Bearer ${api_key}` },
  })
  const body = await response.text()
  if (!body.includes(`Person ${identifier}`)) throw new Error(`A read returned ${response.status}: ${body}`)
}

/** The median of each column. */
function toRow(form: Form, results: readonly { readonly form: Form; readonly used: Reading }[]): string[] {
  const ofForm = results.filter((result) => result.form === form)
  const milliseconds = (names: readonly string[]) => {
    const sums = ofForm.map(({ used }) => names.reduce((sum, name) => sum + (used.get(`cpu ${name}`) ?? 0), 0) * 1_000)
    const sorted = sums.toSorted((a, b) => a - b)
    return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
  }
  return [form, ...columns.map((name) => milliseconds([name]).toFixed(3)), milliseconds(columns).toFixed(3)]
}
