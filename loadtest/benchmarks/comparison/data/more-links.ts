import pg from 'pg'
import { builtInProviders } from '#contracts'
import type { PreparedSite } from '../../../seed/prepared.ts'

/** Links the known users of these sites to every provider. */
export async function linkEveryProvider(identityUrl: string, sites: readonly PreparedSite[]): Promise<void> {
  const database = new pg.Client({ connectionString: identityUrl })
  await database.connect()
  try {
    await database.query(
      `insert into links (site, provider, provider_user_id, identifier, created_at)
       select site, provider, 'more-' || identifier, identifier, created_at
       from users, unnest($2::text[]) as every (provider)
       where identifier = any($1)
       on conflict do nothing`,
      [sites.flatMap(({ identifiers }) => identifiers), [...builtInProviders]],
    )
    await database.query('vacuum analyze links')
  } finally {
    await database.end()
  }
}
