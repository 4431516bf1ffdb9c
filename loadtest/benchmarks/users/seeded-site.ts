import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate, provisionDatabase } from '#database'
import { migrations } from '../../../services/identity/migrations/index.ts'
import { seedUsers } from '../../seed/seed-users.ts'

export interface UserListSite {
  readonly database_url: string
  readonly site: number
}

/** Returns a site with exactly this number of users: one from an earlier run on this server, or a new one. */
export async function seededSite(
  postgresUrl: string,
  users: number,
  print: (line: string) => void,
): Promise<UserListSite> {
  const password = randomBytes(24).toString('base64url')
  const databaseUrl = await provisionDatabase(postgresUrl, { name: 'users_benchmark', password })
  await migrate(databaseUrl, migrations)
  const earlier = await siteOf(databaseUrl, users)
  if (earlier !== undefined) return { database_url: databaseUrl, site: earlier }
  const [site] = await seedUsers({ database_url: databaseUrl, sites: 1, users, say: print })
  if (site === undefined) throw new Error('No site was given.')
  return { database_url: databaseUrl, site }
}

async function siteOf(databaseUrl: string, users: number): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ site: number }>(
      'select site from user_counts_now where registration_shift = 32 and login_shift = 32 group by site having sum(n_all) = $1',
      [users],
    )
    return rows[0]?.site
  } finally {
    await client.end()
  }
}
