import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import { type AdminProcedure, adminApi } from '#admin-api'
import { limits } from '#contracts'
import { ensurePrograms, SetupError } from '#local'
import { createConsoleAccess } from '../../deploy/local/console-access.ts'
import { seedDemo } from '../../deploy/local/demo.ts'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { fillSites } from '../seed/seed-users.ts'
import { insertSites } from '../seed/sites.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import { buildLoginUrl, runLogins } from './login-meter.ts'

/**
 * `npm run bench:console`: the time of everything that pages of the console read, in an account with many sites, of which one has
 * many users.
 */
const usage = 'Usage: npm run bench:console [-- --users 200000 --sites 1000 --rounds 40]'
const number = z.coerce.number().pipe(z.int().min(1))
const Options = z.object({ users: number.default(200_000), sites: number.default(1_000), rounds: number.default(40) })

const logins = 200
/** What a page may wait for its data. */
const allowedMs = 300

/** What is asked for in addition to the path: required fields, and the cases of lists that depend on the number of rows. */
const queries: Readonly<Record<string, (known: ReadonlyMap<string, string>, users: number) => readonly Query[]>> = {
  listUsers: (_, users) => [
    {},
    { page: String(Math.floor(users / 40)) },
    { created_within: '30d' },
    { last_login_within: '30d', mapped: 'mapped_only' },
    { sort: 'last_login' },
    { sort: 'last_login', order: 'asc' },
    { sort: 'logins' },
    { provider: 'search' },
    { provider: 'search', sort: 'logins' },
    // Few users or none, so that a page reads as many as it may.
    { provider: 'device', sort: 'last_login' },
    { user_state: 'blocked' },
    { user_state: 'blocked', sort: 'last_login' },
    { user_state: 'to_be_deleted' },
    { user_state: 'active', provider: 'search', mapped: 'not_mapped_only', created_within: '30d' },
  ],
  findUsers: (known) => [{ q: known.get('identifier') ?? '' }, { q: 'nobody' }],
  findSites: () => [{ q: 'shop' }, { q: 'l' }],
  // Needs two users, and is read only after an administrator chose them.
  previewMerge: () => [],
  // Of members: tokens have none.
  readMyUserColumns: () => [],
}

type Query = Readonly<Record<string, string>>

interface PageData {
  readonly title: string
  readonly url: string
}

const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const text = { type: 'string' } as const
  const options = Options.parse(parseArgs({ options: { users: text, sites: text, rounds: text } }).values)
  if (!(await run(options))) process.exitCode = 1
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error('%s\n%s', usage, z.prettifyError(error))
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

async function run({ users, sites, rounds }: z.output<typeof Options>): Promise<boolean> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'console-benchmark-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  const environment = { LOGINS_PER_ADDRESS: '1000000' }
  const { wiring, secrets } = stack.use(
    await startLoadTestStack(directory, { gateways: 1, environment, step, interruption }),
  )
  const [demo] = await seedDemo(wiring, secrets)
  const [client] = demo.clients
  const login = buildLoginUrl(demo.providers.search.authorize, client.client_id, client.redirect_uris[0] ?? '')
  await step(`${logins} logins`, () => runLogins(logins, () => login))
  await step(`${sites} sites, ${users} users`, (note) => fillAccount(wiring.database_urls.get('identity') ?? '', note))
  const { console_token: token } = await createConsoleAccess(wiring)

  const read = async (url: string) => {
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const body = await response.text()
    return { took_ms: performance.now() - began, status: response.status, body }
  }
  const { found, missing } = await findPageData(`${wiring.addresses.console}/admin/v1`)
  const times = new Map(found.map(({ title }) => [title, [] as number[]]))
  await step(`${rounds} rounds`, async () => {
    for (let round = -3; round < rounds; round++)
      for (const { title, url } of found) {
        const { took_ms } = await read(url)
        if (round >= 0) times.get(title)?.push(took_ms)
      }
  })
  const rows = [...times]
    .map(([title, measured]) => ({ title, p50: percentile(measured, 0.5), p95: percentile(measured, 0.95) }))
    .toSorted((a, b) => b.p95 - a.p95)
  process.stdout.write(`\n${machineFacts()}\n\n`)
  const head = ['Read by pages', 'p50, ms', 'p95, ms']
  const lines = rows.map(({ title, p50, p95 }) => [title, p50.toFixed(1), p95.toFixed(1)])
  process.stdout.write(`${formatTable(head, lines)}\n\nNot read, because there is none of it: ${missing.join(', ')}.\n`)
  return rows.every(({ p95 }) => p95 < allowedMs)

  async function fillAccount(databaseUrl: string, note: (text: string) => void): Promise<void> {
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    try {
      const { account, site_id } = demo
      const { requests_per_window } = limits
      await insertSites(database, { account, count: sites - 1, requests_per_window })
      const { rows } = await database.query<{ site: number }>(
        'select site from sites where account = $1 and site_id = $2',
        [account, site_id],
      )
      await fillSites(
        rows.map(({ site }) => site),
        { database_url: databaseUrl, users, say: note },
      )
    } finally {
      await database.end()
    }
  }

  /** The addresses of all that pages read, with the IDs that other answers show. */
  async function findPageData(base: string): Promise<{ found: readonly PageData[]; missing: readonly string[] }> {
    const known = new Map([
      ['account', demo.account],
      ['site_id', demo.site_id],
    ])
    const found: PageData[] = []
    const absent: string[] = []
    let rest: readonly (readonly [string, AdminProcedure])[] = Object.entries(adminApi).filter(
      ([, { method }]) => method === 'GET',
    )
    for (let before = -1; before !== rest.length; ) {
      before = rest.length
      const later: [string, AdminProcedure][] = []
      for (const [name, procedure] of rest) {
        const path = fillPath(procedure.path, known)
        if (path === undefined) {
          later.push([name, procedure])
          continue
        }
        for (const query of queries[name]?.(known, users) ?? [{}]) {
          const search = new URLSearchParams(query).toString()
          const url = `${base}${path}${search === '' ? '' : `?${search}`}`
          const { status, body } = await read(url)
          if (status === 404) {
            absent.push(name)
            continue
          }
          if (status !== 200) throw new SetupError(`${url} returned ${status}: ${body}`)
          found.push({ title: `\`${name}\`${search === '' ? '' : ` \`${search}\``}`, url })
          noteIds(body, known)
        }
      }
      rest = later
    }
    return { found, missing: [...absent, ...rest.map(([name]) => name)].map((name) => `\`${name}\``) }
  }
}

/** Undefined while a parameter's value is unknown. */
function fillPath(path: string, known: ReadonlyMap<string, string>): string | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => !known.has(name))) return undefined
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known.get(name) ?? ''))
}

/** Adds the first value of each field that is not known yet. */
function noteIds(body: string, known: Map<string, string>): void {
  if (!body.startsWith('{')) return
  JSON.parse(body, (name, value: unknown) => {
    if (typeof value === 'string' && name !== '' && !known.has(name)) known.set(name, value)
    return value
  })
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
