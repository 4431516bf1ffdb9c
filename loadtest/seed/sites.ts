import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { hashSecret, newApiKey } from '#runtime'
import { copy } from './copy.ts'
import type { Sites } from './prepared.ts'

interface NewSites {
  readonly account: string
  readonly count: number
  readonly requests_per_window: number
}

/** Creates sites with new revisions, so that running gateways receive them. Returns their numbers. */
export async function insertSites(
  database: pg.Client,
  { account, count, requests_per_window }: NewSites,
): Promise<number[]> {
  await database.query('insert into accounts (account, name) values ($1, $1) on conflict do nothing', [account])
  const { rows } = await database.query<{ site: number }>(
    `with revisions as (update site_revisions set newest = newest + $2 returning newest)
     insert into sites (account, site_id, name, requests_per_window, revision)
     select $4, $1 || '-' || n, $1 || '-' || n, $3, newest - $2 + n from revisions, generate_series(1, $2::bigint) n
     returning site`,
    [`l${Date.now().toString(36)}`, count, requests_per_window, account],
  )
  return rows.map(({ site }) => site)
}

const identifiersPerSite = 50

/** Issues an API key for each site, and selects some of its users. */
export async function issueKeys(databaseUrl: string, sites: readonly number[]): Promise<Sites['sites']> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const keys = sites.map((site) => ({ site, api_key: newApiKey() }))
    const lines = keys.map(({ site, api_key }) => {
      return `${[randomUUID(), site, 'loadtest', hashSecret(api_key), api_key.slice(-4)].join('\t')}\n`
    })
    await copy(database, 'copy api_keys (api_key_id, site, name, key_hash, last_four) from stdin', lines)
    // A new key requires a new revision of its site. A gateway must not see the newest revision before the sites have theirs.
    await database.query('begin')
    const { rows } = await database.query<{ before: string }>(
      'update site_revisions set newest = newest + $1 returning newest - $1 as before',
      [sites.length],
    )
    await database.query(
      `update sites set revision = $2::bigint + n from unnest($1::integer[]) with ordinality as keyed (site, n)
       where sites.site = keyed.site`,
      [sites, rows[0]?.before],
    )
    await database.query('commit')
    const issued = []
    for (const { site, api_key } of keys) {
      const users = await database.query<{ identifier: string }>(
        'select identifier from users where site = $1 limit $2',
        [site, identifiersPerSite],
      )
      issued.push({ api_key, identifiers: users.rows.map(({ identifier }) => identifier) })
    }
    return issued
  } finally {
    await database.end()
  }
}
