import { setTimeout as delay } from 'node:timers/promises'
import knex from 'knex'
import pg from 'pg'
import { limits } from '#contracts'
import { rollUpUserCounts } from '../../services/identity/store/user-counts.ts'
import { copy } from './copy.ts'
import { createProgress } from './progress.ts'
import { insertSites } from './sites.ts'
import { createUserRows, linkColumns, userColumns } from './user-rows.ts'

const usersPerCopy = 50_000
const deltasPerFold = 500_000

interface Seed {
  readonly database_url: string
  readonly sites: number
  /** Of all sites together. */
  readonly users: number
  /** The rate limit of each site. */
  readonly requests_per_window?: number
  readonly say: (line: string) => void
}

/**
 * Creates sites with users and links by COPY, rolls up the counts meanwhile, and analyzes the tables.
 *
 * @returns the new sites' numbers
 */
export async function seedUsers({
  database_url,
  sites,
  users,
  requests_per_window = limits.requests_per_window,
  say: print,
}: Seed): Promise<number[]> {
  await using stack = new AsyncDisposableStack()
  const folding = knex({ client: 'pg', connection: database_url, pool: { min: 0, max: 1 } })
  stack.defer(() => folding.destroy())
  const database = new pg.Client({ connectionString: database_url })
  stack.defer(() => database.end())
  await database.connect()

  const numbers = await insertSites(database, sites, requests_per_window)
  const foldAll = async () => {
    while ((await rollUpUserCounts(folding, deltasPerFold)) > 0);
  }
  let copying = true
  const foldMeanwhile = async () => {
    for (; copying; await delay(1_000)) await foldAll()
  }
  const copyAll = async () => {
    const progress = createProgress(users, print)
    for (const [n, site] of numbers.entries()) {
      await copyUsers(database, site, Math.floor(users / sites) + (n < users % sites ? 1 : 0), progress)
    }
  }
  await Promise.all([foldMeanwhile(), copyAll().finally(() => (copying = false))])
  print('Users created. Rolling up the remaining counts, then vacuum analyze …')
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
  for (let begin = 0; begin < count; begin += usersPerCopy) {
    const end = Math.min(begin + usersPerCopy, count)
    const users = Array.from({ length: end - begin }, (_, at) => createUserRows(site, begin + at, count, now))
    const lines = (of: 'user' | 'links') => users.map((created) => created[of])
    await copy(database, `copy users (${userColumns}) from stdin`, lines('user'))
    await copy(database, `copy links (${linkColumns}) from stdin`, lines('links'))
    progress(end - begin)
  }
}
