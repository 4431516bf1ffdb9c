import pg from 'pg'
import { builtInProviders } from '#contracts'
import type { PreparedSite } from '../../../seed/prepared.ts'
import type { LoadRequest } from '../generator/protocol.ts'

/** A read that the benchmark compares: with one call over the bus, or with two. */
export type ReadOperation = 'providers_of_user' | 'profile'

/** The reads of each site, with the response that every arm must return. */
export async function createReadRequests(
  identityUrl: string,
  sites: readonly PreparedSite[],
  operation: ReadOperation,
): Promise<readonly (readonly LoadRequest[])[]> {
  const providers = await readProviders(identityUrl, sites)
  return sites.map(({ api_key, identifiers }) =>
    identifiers.map((identifier) => ({
      method: 'GET',
      path: `/api/${operation}?identifier=${identifier}`,
      headers: { authorization: `Bearer ${api_key}` },
      status: 200,
      contains:
        operation === 'profile'
          ? [`"identifier":"${identifier}"`, `"user_name":"user-${identifier}"`]
          : [`"providers":${JSON.stringify(providers.get(identifier) ?? [])}`],
    })),
  )
}

/** Linked providers by identifier, in the order of the specification's table. */
async function readProviders(
  identityUrl: string,
  sites: readonly PreparedSite[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const database = new pg.Client({ connectionString: identityUrl })
  await database.connect()
  try {
    const { rows } = await database.query<{ identifier: string; providers: string[] }>(
      'select identifier, array_agg(provider) as providers from links where identifier = any($1) group by identifier',
      [sites.flatMap(({ identifiers }) => identifiers)],
    )
    return new Map(
      rows.map(({ identifier, providers }) => [
        identifier,
        builtInProviders.filter((name) => providers.includes(name)),
      ]),
    )
  } finally {
    await database.end()
  }
}
