import { type ExecFileOptions, execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { BlobReader, ZipReader } from '@zip.js/zip.js'
import { Client } from 'pg'
import { z } from 'zod'
import { ensurePrograms, SetupError } from '#local'
import { createConsoleAccess } from '../../deploy/local/console-access.ts'
import { seedDemo } from '../../deploy/local/demo.ts'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import type { Wiring } from '../../deploy/local/wiring.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import { openMeter, type Reading } from './cost/meter.ts'
import { createImportedUsers } from './imported-users.ts'

/**
 * `npm run bench:import`: users a second, and CPU time of each service and server for a user, of an import by the command line, of
 * the export of these users, and of its import into another site, whose export must be the same.
 */
const usage = 'Usage: npm run bench:import [-- --users 50000] [--accounts-only]'
const Options = z.object({
  users: z.coerce.number().pipe(z.int().min(1_000)).default(50_000),
  /** Without tokens, profiles and friend statuses, as many other systems export their users. */
  'accounts-only': z.boolean().default(false),
})

const Export = z.object({ export_id: z.string() })
const Exports = z.object({ exports: z.array(Export.extend({ state: z.string() })) })
/** Whose CPU time is reported. */
const columns = ['console', 'provider-auth', 'identity', 'profile', 'friendship', 'events', 'postgres', 'nats']

const run = promisify(execFile)
const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const { values } = parseArgs({ options: { users: { type: 'string' }, 'accounts-only': { type: 'boolean' } } })
  const { users, 'accounts-only': accountsOnly } = Options.parse(values)
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'import-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways: 1, step, interruption }))
  const { wiring, secrets } = serviceStack
  const [first, second] = await seedDemo(wiring, secrets)
  const { console_token } = await createConsoleAccess(wiring)
  const meter = stack.use(openMeter(directory, serviceStack))

  const emptyBytes = await readDatabaseBytes(wiring)
  const options: ExecFileOptions = {
    env: { PATH: process.env.PATH, SOCIAL_LOGIN_URL: wiring.addresses.console, SOCIAL_LOGIN_TOKEN: console_token },
  }
  const call = async (site: typeof first, ...args: string[]): Promise<string> => {
    const script = join(root, 'services/console/cli/main.ts')
    const place = ['--account', site.account, '--site-id', site.site_id]
    return String((await run(process.execPath, [script, ...args, ...place], options)).stdout)
  }
  const rows: string[][] = []
  const measure = async (title: string, work: () => Promise<unknown>) => {
    const before = await meter.read()
    const startedAt = performance.now()
    await step(title, work)
    const seconds = (performance.now() - startedAt) / 1_000
    rows.push([title, Math.round(users / seconds).toString(), ...cpuPerUser(before, await meter.read(), users)])
  }
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, randomBytes(16).toString('hex'))
  const exportFrom = async (site: typeof first, to: string) => {
    const everything = ['--format', 'ndjson', '--with-profile', '--with-credentials', '--json']
    const requested = await call(site, 'exports', 'request', '--password-file', passwordFile, ...everything)
    const { export_id } = Export.parse(JSON.parse(requested))
    for (;;) {
      const { exports } = Exports.parse(JSON.parse(await call(site, 'exports', 'list', '--json')))
      const state = exports.find((one) => one.export_id === export_id)?.state
      if (state === 'failed') throw new Error('The export failed.')
      if (state === 'ready') break
      await delay(500)
    }
    await call(site, 'exports', 'fetch', '--export-id', export_id, '--to', `${to}.zip`)
  }

  const file = join(directory, 'users.ndjson')
  await step('File', () => pipeline(Readable.from(createImportedUsers(users, accountsOnly)), createWriteStream(file)))
  const [one, two] = ['one', 'two'].map((name) => join(directory, name)) as [string, string]
  await measure('import', () => call(first, 'users', 'import', file))
  await measure('export', () => exportFrom(first, one))
  await step('Unpack', () => unpack(one, passwordFile))
  await measure('import of the export', () => call(second, 'users', 'import', one))
  await measure('its export', () => exportFrom(second, two))
  await step('Unpack', () => unpack(two, passwordFile))
  const isSame = (await hashFile(one)) === (await hashFile(two))
  process.stdout.write(
    `\n${users} users with an account${accountsOnly ? '' : ', tokens, a profile and a friend status'} each. ${machineFacts()}\n\n${formatTable(['', 'users/s', ...columns.map((name) => `${name}, µs`), 'all, µs'], rows)}\n\n`,
  )
  process.stdout.write(`${formatDisk(emptyBytes, await readDatabaseBytes(wiring), 2 * users)}\n\n`)
  process.stdout.write(isSame ? 'Both exports are the same.\n' : 'THE EXPORTS DIFFER.\n')
  process.exitCode = isSame ? 0 : 1
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error('%s\n%s', usage, z.prettifyError(error))
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

/** CPU time of each column and of all, in µs for a user. */
function cpuPerUser(before: Reading, after: Reading, users: number): string[] {
  const spent = columns.map((name) => (after.get(`cpu ${name}`) ?? 0) - (before.get(`cpu ${name}`) ?? 0))
  const all = spent.reduce((sum, seconds) => sum + seconds, 0)
  return [...spent, all].map((seconds) => Math.round((seconds * 1e6) / users).toString())
}

/** Size of each service's database on disk in bytes, with its indexes. */
async function readDatabaseBytes({ database_urls }: Wiring): Promise<ReadonlyMap<string, number>> {
  const sizes = [...database_urls].map(async ([service, connectionString]) => {
    const client = new Client({ connectionString })
    await client.connect()
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
    await client.end()
    return [service, Number(rows[0]?.bytes)] as const
  })
  return new Map(await Promise.all(sizes))
}

function formatDisk(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, users: number): string {
  const perUser = [...after].map(([service, bytes]): [string, number] => [
    service,
    Math.round((bytes - (before.get(service) ?? 0)) / users),
  ])
  return formatTable(
    ['', ...perUser.map(([service]) => service)],
    [['disk of a user, bytes', ...perUser.map(([, bytes]) => String(bytes))]],
  )
}

/** Decrypts the file of an export next to it. */
async function unpack(path: string, passwordFile: string): Promise<void> {
  const password = await readFile(passwordFile, 'utf8')
  const reader = new ZipReader(new BlobReader(await openAsBlob(`${path}.zip`)), { password, useWebWorkers: false })
  const [entry] = await reader.getEntries()
  if (entry === undefined || entry.directory) throw new Error('The export has no file.')
  await entry.getData(Writable.toWeb(createWriteStream(path)))
}

async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}
