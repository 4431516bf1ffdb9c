import { emptyMetadata, type StoredMetadata } from '#contracts'
import { defineStatement, type EventToStore, type Executor, insertOfEvent, toEventParameters } from '#database'
import { indexMetadata } from './metadata-values.ts'
import type { UserKey } from './users.ts'

const selectMetadata = defineStatement<StoredMetadata>(
  'select user_metadata, app_metadata, revision from user_metadata where site = $1 and identifier = $2',
)

/** The metadata of a user; empty with revision 0 if none was ever written, or the user does not exist. */
export async function findMetadata(executor: Executor, { site, identifier }: UserKey): Promise<StoredMetadata> {
  return (await selectMetadata(executor, [site, identifier])).rows[0] ?? emptyMetadata
}

const upsertMetadata = defineStatement(
  `with stored as (${insertOfEvent(6)})
   insert into user_metadata (site, identifier, user_metadata, app_metadata, revision) values ($1, $2, $3, $4, $5)
   on conflict (site, identifier) do update
   set user_metadata = excluded.user_metadata, app_metadata = excluded.app_metadata, revision = excluded.revision`,
)

/** Stores and indexes the metadata of a locked user, with the event of the change. */
export async function storeMetadata(
  executor: Executor,
  { site, identifier }: UserKey,
  metadata: StoredMetadata,
  event: EventToStore,
): Promise<void> {
  const { user_metadata, app_metadata, revision } = metadata
  const parts = [JSON.stringify(user_metadata), JSON.stringify(app_metadata)]
  await upsertMetadata(executor, [site, identifier, ...parts, revision, ...toEventParameters(event)])
  await indexMetadata(executor, site, [[identifier, metadata]])
}

const selectOfUsers = defineStatement<StoredMetadata & { readonly identifier: string }>(
  `select identifier, user_metadata, app_metadata, revision from user_metadata
   where site = $1 and identifier = any($2)`,
)

/** The metadata of users by identifier; users without any are absent. */
export async function listMetadata(
  executor: Executor,
  site: number,
  identifiers: readonly string[],
): Promise<Map<string, StoredMetadata>> {
  const { rows } = await selectOfUsers(executor, [site, identifiers])
  return new Map(
    rows.map(({ identifier, user_metadata, app_metadata, revision }) => [
      identifier,
      { user_metadata, app_metadata, revision },
    ]),
  )
}

const upsertOfUsers = defineStatement(
  `insert into user_metadata (site, identifier, user_metadata, app_metadata, revision)
   select $1, * from unnest($2::text[], $3::jsonb[], $4::jsonb[], $5::integer[])
   on conflict (site, identifier) do update
   set user_metadata = excluded.user_metadata, app_metadata = excluded.app_metadata, revision = excluded.revision`,
)

/** Stores and indexes the metadata of locked users, each once. The caller stores the events. */
export async function upsertMetadataOfUsers(
  executor: Executor,
  site: number,
  changes: readonly (readonly [identifier: string, metadata: StoredMetadata])[],
): Promise<void> {
  if (changes.length === 0) return
  await upsertOfUsers(executor, [
    site,
    changes.map(([identifier]) => identifier),
    changes.map(([, { user_metadata }]) => JSON.stringify(user_metadata)),
    changes.map(([, { app_metadata }]) => JSON.stringify(app_metadata)),
    changes.map(([, { revision }]) => revision),
  ])
  await indexMetadata(executor, site, changes)
}
