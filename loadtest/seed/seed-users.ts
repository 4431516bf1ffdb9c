import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import knex from 'knex'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { foldUserCounts } from '../../services/identity/store/user-counts.ts'
import { link_columns, person, user_columns } from './people.ts'
import { createProgress } from './progress.ts'

const users_per_copy = 50_000
const deltas_per_fold = 500_000

interface Seed {
  readonly database_url: string
  readonly sites: number
  /** Of all sites together. */
  readonly users: number
  readonly say: (line: string) => void
}

/**
 * Makes new sites with users and links by COPY, folds the counts meanwhile, and lets Postgres get to know the tables.
 *
 * @returns the new sites' numbers
 */
export async function seedUsers({ database_url, sites, users, say }: Seed): Promise<number[]> {
  await using stack = new AsyncDisposableStack()
  const folding = knex({ client: 'pg', connection: database_url, pool: { min: 0, max: 1 } })
  stack.defer(() => folding.destroy())
  const database = new pg.Client({ connectionString: database_url })
  stack.defer(() => database.end())
  await database.connect()

  const numbers: number[] = []
  for (let n = 0; n < sites; n++) numbers.push(await insertSite(database, n))
  const foldAll = async () => {
    while ((await foldUserCounts(folding, deltas_per_fold)) > 0);
  }
  let copying = true
  const foldMeanwhile = async () => {
    for (; copying; await delay(1_000)) await foldAll()
  }
  const copyAll = async () => {
    const progress = createProgress(users, say)
    for (const [n, site] of numbers.entries()) {
      await copyUsers(database, site, Math.floor(users / sites) + (n < users % sites ? 1 : 0), progress)
    }
  }
  await Promise.all([foldMeanwhile(), copyAll().finally(() => (copying = false))])
  say('The users are there. Folding what is left of their counts, then vacuum analyze …')
  await foldAll()
  await database.query('vacuum analyze')
  return numbers
}

async function copyUsers(
  database: pg.Client,
  site: number,
  count: number,
  progress: (more: number) => void,
): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  for (let begin = 0; begin < count; begin += users_per_copy) {
    const end = Math.min(begin + users_per_copy, count)
    const people = Array.from({ length: end - begin }, (_, at) => person(site, begin + at, count, now))
    const lines = (of: 'user' | 'links') => people.map((made) => made[of])
    await copy(database, `copy users (${user_columns}) from stdin`, lines('user'))
    await copy(database, `copy links (${link_columns}) from stdin`, lines('links'))
    progress(end - begin)
  }
}

/** With a revision of its own, as a registered one has, so that running gateways learn of it. */
async function insertSite(database: pg.Client, n: number): Promise<number> {
  const { rows } = await database.query<{ site: number }>(
    `with revision as (update site_revisions set newest = newest + 1 returning newest)
     insert into sites (account, site_id, name, requests_per_window, revision)
     select 'loadtest', $1, $1, 10000, newest from revision
     returning site`,
    [`l${Date.now().toString(36)}-${n}`],
  )
  const [row] = rows
  if (row === undefined) throw new Error('An inserted site has a number.')
  return row.site
}

async function copy(database: pg.Client, statement: string, lines: readonly string[]): Promise<void> {
  await pipeline(Readable.from(inChunks(lines)), database.query(copyFrom(statement)))
}

/** Lines gathered to writes of 64 kB. */
function* inChunks(lines: readonly string[]): Generator<Buffer> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < 65_536) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk) yield Buffer.from(chunk)
}
