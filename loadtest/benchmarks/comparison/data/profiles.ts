import pg from 'pg'
import { combine } from '../../../../services/profile/domain/combine.ts'
import type { PreparedSite } from '../../../seed/prepared.ts'

/** A profile as a login stores it. The user name is unique, so that a response shows which profile it has. */
const combined = combine([
  {
    provider: 'messaging',
    data: {
      profile: {
        first_name: 'Hanako',
        last_name: 'Yamada',
        full_name: 'Yamada Hanako',
        image_url: 'https://images.example.com/profiles/0123456789abcdef.jpg',
        birthday: '1990-04-01',
        gender: 2,
        prefecture: 'Tokyo',
      },
      follow: { followed_by: null, following: 1 },
      email: [{ email: 'hanako@example.com', verified: true }],
      phone: [],
    },
    obtained_at: new Date(0),
  },
])

/** Stores a profile for each of the sites' known users. */
export async function seedProfiles(
  databaseUrls: ReadonlyMap<string, string>,
  sites: readonly PreparedSite[],
): Promise<void> {
  const users = await readSitesOf(databaseUrls.get('identity'), sites)
  const database = new pg.Client({ connectionString: databaseUrls.get('profile') })
  await database.connect()
  try {
    await database.query(
      `insert into profiles (site, identifier, combined, update_count, last_updated_at)
       select site, identifier, jsonb_set($3, '{profile,user_name}', to_jsonb('user-' || identifier)), 1, now()
       from unnest($1::integer[], $2::text[]) as known (site, identifier)`,
      [users.map(({ site }) => site), users.map(({ identifier }) => identifier), JSON.stringify(combined)],
    )
    await database.query('vacuum analyze profiles')
  } finally {
    await database.end()
  }
}

async function readSitesOf(
  databaseUrl: string | undefined,
  sites: readonly PreparedSite[],
): Promise<readonly { site: number; identifier: string }[]> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const { rows } = await database.query<{ site: number; identifier: string }>(
      'select site, identifier from users where identifier = any($1)',
      [sites.flatMap(({ identifiers }) => identifiers)],
    )
    return rows
  } finally {
    await database.end()
  }
}
