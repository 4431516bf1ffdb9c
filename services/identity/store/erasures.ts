import type { Knex } from 'knex'
import type { DataService, ErasedCounts, ErasureCause } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { clock } from './clock.ts'
import type { UserKey } from './users.ts'

/** The key of a deletion: an identifier can be imported again, and be deleted again. */
export interface ErasureKey extends UserKey {
  readonly deleted_at: Date
}

export interface ErasureRow {
  readonly identifier: string
  readonly deleted_at: Date
  readonly requested_by: ErasureCause
  readonly requested_at: Date
  readonly services: readonly DataService[]
  readonly completed_at: Date | null
  readonly receipt: string | null
  readonly receipt_key: Readonly<Record<string, unknown>> | null
}

const columns = 'identifier, deleted_at, requested_by, requested_at, services, completed_at, receipt, receipt_key'

const countOf = (table: string) => `(select count(*) from ${table} where site = $1 and identifier = $2)`

const insertErasureRow = defineStatement(
  `with erasure as (
     insert into erasures (site, identifier, deleted_at, requested_by, requested_at, services, next_look_at)
     values ($1, $2, $3, $4, $5, $6, $3)
   )
   insert into erasure_parts (site, identifier, deleted_at, service, erased_at, deleted)
   select $1::integer, $2::text, $3::timestamptz, 'identity', $3::timestamptz, jsonb_build_object(
     'user', 1, 'linked_accounts', ${countOf('links')}, 'metadata', ${countOf('user_metadata')},
     'consents', ${countOf('consents')}, 'deletion', ${countOf('user_deletions')}, 'logins', ${countOf('login_history')})`,
)

/** Stores the deletion of a locked user, before it, with the numbers of records of this service. */
export async function insertErasure(
  trx: Knex.Transaction,
  { site, identifier, deleted_at }: ErasureKey,
  { requested_by, requested_at, services }: Pick<ErasureRow, 'requested_by' | 'requested_at' | 'services'>,
): Promise<void> {
  await insertErasureRow(trx, [site, identifier, deleted_at, requested_by, requested_at, services])
}

const insertPart = defineStatement(
  `insert into erasure_parts (site, identifier, deleted_at, service, deleted) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
)

/** Stores what a service will delete, unless it is stored. */
export async function insertErasurePart(
  executor: Executor,
  { site, identifier, deleted_at }: ErasureKey,
  service: DataService,
  deleted: ErasedCounts,
): Promise<void> {
  await insertPart(executor, [site, identifier, deleted_at, service, deleted])
}

const updatePart = defineStatement(
  // After a long outage, the next look at the deletion can come minutes later.
  `with late as (
     update erasures set next_look_at = date_trunc('milliseconds', now()) from ${clock}
     where site = $1 and identifier = $2 and deleted_at = $3 and next_look_at > clock.now + interval '2 s'
   )
   update erasure_parts set erased_at = now()
   where site = $1 and identifier = $2 and deleted_at = $3 and service = $4 and erased_at is null`,
)

/** Stores that a service has deleted. */
export async function confirmErasurePart(
  executor: Executor,
  { site, identifier, deleted_at }: ErasureKey,
  service: DataService,
): Promise<void> {
  await updatePart(executor, [site, identifier, deleted_at, service])
}

interface PartRow {
  readonly service: DataService
  readonly deleted: ErasedCounts
  readonly erased_at: Date
}

const selectParts = defineStatement<PartRow>(
  `select service, deleted, erased_at from erasure_parts
   where site = $1 and identifier = $2 and deleted_at = $3 and erased_at is not null`,
)

/** The services that have deleted. */
export async function listErasureParts(
  executor: Executor,
  { site, identifier, deleted_at }: ErasureKey,
): Promise<readonly PartRow[]> {
  return (await selectParts(executor, [site, identifier, deleted_at])).rows
}

const selectNewest = defineStatement<ErasureRow>(
  `select ${columns} from erasures where site = $1 and identifier = $2 order by deleted_at desc limit 1`,
)

/** The latest deletion of a user. */
export async function findErasure(executor: Executor, { site, identifier }: UserKey): Promise<ErasureRow | undefined> {
  return (await selectNewest(executor, [site, identifier])).rows[0]
}

const selectPage = defineStatement<ErasureRow>(
  `select ${columns} from erasures where site = $1 and (deleted_at, identifier) < ($2, $3)
   order by deleted_at desc, identifier desc limit $4`,
)

/** Deletions of a site before a place, newest first. */
export async function listErasureRows(
  executor: Executor,
  site: number,
  { before, limit }: { readonly before: Omit<ErasureKey, 'site'> | undefined; readonly limit: number },
): Promise<readonly ErasureRow[]> {
  return (await selectPage(executor, [site, before?.deleted_at ?? 'infinity', before?.identifier ?? '', limit])).rows
}
