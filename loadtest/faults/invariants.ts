import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { eventInvariants } from './event-invariants.ts'
import type { Invariant } from './invariant.ts'
import { readRows } from './read-rows.ts'
import type { Databases } from './stack.ts'

/** A row that must not exist. */
export interface Violation {
  readonly invariant: string
  /** The row, as text. */
  readonly row: string
}

/** Users and links of identity, as JSON for the queries of the other databases. */
interface Existing {
  readonly users: string
  readonly links: string
}

/** Work that is older must be done. */
const oldestJobSeconds = 30

const recoverWithinMs = 30_000
const pollMs = 200

const invariants: readonly Invariant[] = [
  {
    database: 'identity',
    name: 'user counts match the users',
    query: `
      select site, n_all, n_mapped, counted_all, counted_mapped
      from (select site, count(*) as n_all, count(primary_key) as n_mapped from users group by site) as u
      full join (
        select site, sum(n_all) as counted_all, sum(n_mapped) as counted_mapped from user_counts_now
        where registration_shift = 32 and login_shift = 32 group by site
      ) as c using (site)
      where (coalesce(n_all, 0), coalesce(n_mapped, 0)) <> (coalesce(counted_all, 0), coalesce(counted_mapped, 0))`,
  },
  {
    database: 'identity',
    name: 'login_count is at least the recorded logins',
    query: `
      select site, identifier, login_count, recorded from users
      join (select site, identifier, count(*) as recorded from login_history group by 1, 2) as h using (site, identifier)
      where login_count < recorded`,
  },
  {
    database: 'identity',
    name: 'each deletion has a receipt',
    query: 'select site, identifier, services from erasures where receipt is null',
  },
  {
    database: 'profile',
    name: 'each link of a profile belongs to its user in identity',
    query:
      'select l.* from links l where not exists (select from known_links k where (k.link_id, k.site, k.identifier) = (l.link_id, l.site, l.identifier))',
  },
  {
    database: 'profile',
    name: 'provider data belongs to an existing link',
    query:
      'select link_id, provider from provider_profiles p where not exists (select from known_links k where k.link_id = p.link_id)',
  },
  {
    database: 'profile',
    name: 'a profile with data or a prohibition belongs to an existing user',
    query: `
      select site, identifier, prohibited, deleted from profiles p
      where (combined is not null or prohibited)
        and not exists (select from known_users k where (k.site, k.identifier) = (p.site, p.identifier))`,
  },
  {
    database: 'profile',
    name: 'the profile of an existing user is not deleted',
    query: `
      select site, identifier from profiles p
      where deleted and exists (select from known_users k where (k.site, k.identifier) = (p.site, p.identifier))`,
  },
  ...['credentials', 'authorization_codes', 'one_time_tokens'].map(
    (table): Invariant => ({
      database: 'provider_auth',
      name: `${table} belong to existing links`,
      query: `select link_id from ${table} t where not exists (select from known_links k where k.link_id = t.link_id)`,
    }),
  ),
  {
    database: 'provider_auth',
    name: 'a link with a login has a credential',
    query:
      'select link_id from known_links k where has_login and not exists (select from credentials c where c.link_id = k.link_id)',
  },
  {
    database: 'profile',
    name: 'a link with a login has provider data',
    query:
      'select link_id from known_links k where has_login and not exists (select from provider_profiles p where p.link_id = k.link_id)',
  },
  {
    database: 'provider_auth',
    name: 'association_tokens belong to existing users',
    query: `
      select site, identifier from association_tokens t
      where not exists (select from known_users k where (k.site, k.identifier) = (t.site, t.identifier))`,
  },
  {
    database: 'friendship',
    name: 'friendship statuses belong to existing links',
    query: 'select link_id from statuses s where not exists (select from known_links k where k.link_id = s.link_id)',
  },
  {
    database: 'console',
    name: 'a running export has a heartbeat',
    query: `
      select export_id, state from exports
      where state in ('waiting', 'running') and heartbeat_at < now() - interval '${oldestJobSeconds} seconds'`,
  },
  ...(['identity', 'profile', 'provider_auth'] as const).map(
    (database): Invariant => ({
      database,
      name: `${database} has no job older than ${oldestJobSeconds} s`,
      query: `
        select key, task, attempts from jobs where created_at < now() - interval '${oldestJobSeconds} seconds'`,
    }),
  ),
  ...eventInvariants,
]

/** Waits until all jobs are done, all events are in the stream, and all invariants hold. Returns the violations that remain. */
export async function waitForRecovery(databases: Databases): Promise<{ ms: number; violations: readonly Violation[] }> {
  const startedAt = performance.now()
  for (;;) {
    const jobs = (await countJobs(databases)) + (await countPendingEvents(databases))
    const violations = await findViolations(databases)
    const ms = performance.now() - startedAt
    if (jobs === 0 && violations.length === 0) return { ms, violations }
    if (ms > recoverWithinMs)
      return {
        ms,
        violations: [
          ...violations,
          ...(jobs > 0 ? [{ invariant: 'jobs are done and events are sent', row: `${jobs} jobs and events` }] : []),
        ],
      }
    await sleep(pollMs)
  }
}

/** Checks all invariants on the databases as they are now. */
export async function findViolations(databases: Databases): Promise<Violation[]> {
  await databases.decryptEvents()
  const existing = await readExisting(databases.identity)
  const found = await Promise.all(
    invariants.map(async ({ database, name, query }) => {
      const rows = await select(databases[database], query, existing)
      return rows.map((row) => ({ invariant: name, row: JSON.stringify(row) }))
    }),
  )
  return found.flat()
}

/** The number of jobs that are not done yet, in all databases. */
export async function countJobs(databases: Databases): Promise<number> {
  const counts = await Promise.all(
    [databases.identity, databases.profile, databases.provider_auth].map(async (database) => {
      const { rows } = await database.raw<{ rows: { n: number }[] }>('select count(*)::integer as n from jobs')
      return rows[0]?.n ?? 0
    }),
  )
  return counts.reduce((sum, n) => sum + n, 0)
}

/** The number of events that are not yet in the stream, in all databases. */
async function countPendingEvents(databases: Databases): Promise<number> {
  const counts = await Promise.all(
    [databases.identity, databases.profile, databases.provider_auth, databases.friendship].map(async (database) => {
      const { rows } = await database.raw<{ rows: { n: number }[] }>(
        'select count(*)::integer as n from pending_events',
      )
      return rows[0]?.n ?? 0
    }),
  )
  return counts.reduce((sum, n) => sum + n, 0)
}

async function readExisting(identity: Knex): Promise<Existing> {
  const [existing] = await readRows<Existing>(
    identity,
    `
    select (select coalesce(json_agg(u), '[]')::text from (select site, identifier, primary_key, login_count from users) as u) as users,
      (select coalesce(json_agg(l), '[]')::text from (
        select link_id, site, identifier, provider, exists (
          select from login_history h where (h.site, h.identifier, h.provider) = (k.site, k.identifier, k.provider)
        ) as has_login from links k
      ) as l) as links`,
  )
  if (existing === undefined) throw new Error('The query returned no row.')
  return existing
}

function select(database: Knex, query: string, { users, links }: Existing): Promise<unknown[]> {
  return readRows(
    database,
    `with known_users as (select * from json_to_recordset(?::json) as u (site integer, identifier text, primary_key text, login_count integer)),
      known_links as (select * from json_to_recordset(?::json) as l (link_id uuid, site integer, identifier text, provider text, has_login boolean))
     ${query}`,
    [users, links],
  )
}
