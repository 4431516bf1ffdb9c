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

interface Filling {
  readonly database_url: string
  /** Of all sites together. */
  readonly users: number
  readonly say: (line: string) => void
}

interface Seed extends Filling {
  readonly sites: number
  /** The rate limit of each site. */
  readonly requests_per_window?: number
}

/**
 * Creates sites with users, as `fillSites` does.
 *
 * @returns the new sites' numbers
 */
export async function seedUsers(seed: Seed): Promise<number[]> {
  const database = new pg.Client({ connectionString: seed.database_url })
  await database.connect()
  try {
    const { sites: count, requests_per_window = limits.requests_per_window } = seed
    const sites = await insertSites(database, { account: 'loadtest', count, requests_per_window })
    await fillSites(sites, seed)
    return sites
  } finally {
    await database.end()
  }
}

/** Creates users with links in sites by COPY, rolls up the counts meanwhile, and analyzes the tables. */
export async function fillSites(sites: readonly number[], { database_url, users, say: print }: Filling): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folding = knex({ client: 'pg', connection: database_url, pool: { min: 0, max: 1 } })
  stack.defer(() => folding.destroy())
  const database = new pg.Client({ connectionString: database_url })
  stack.defer(() => database.end())
  await database.connect()

  const foldAll = async () => {
    while ((await rollUpUserCounts(folding, deltasPerFold)) > 0);
  }
  let copying = true
  const foldMeanwhile = async () => {
    for (; copying; await delay(1_000)) await foldAll()
  }
  const copyAll = async () => {
    const progress = createProgress(users, print)
    for (const [n, site] of sites.entries()) {
      const count = Math.floor(users / sites.length) + (n < users % sites.length ? 1 : 0)
      await copyUsers(database, site, count, progress)
    }
  }
  await Promise.all([foldMeanwhile(), copyAll().finally(() => (copying = false))])
  print('Users created. Rolling up the remaining counts, then vacuum analyze …')
  await foldAll()
  await database.query('vacuum analyze')
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
