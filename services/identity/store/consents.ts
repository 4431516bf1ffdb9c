import type { Consent } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { toTimestamp } from '#runtime'
import type { UserKey } from './users.ts'

interface ConsentRow {
  readonly document: string
  readonly version: number
  readonly accepted: boolean
  readonly answered_at: Date
}

const selectConsents = defineStatement<ConsentRow>(
  `select document, version, accepted, answered_at from consents
   where site = $1 and identifier = $2 order by document`,
)

/** The latest answers of a user by the names of the documents. */
export async function findConsents(executor: Executor, { site, identifier }: UserKey): Promise<Consent[]> {
  return (await selectConsents(executor, [site, identifier])).rows.map(toConsent)
}

const selectOfUsers = defineStatement<ConsentRow & { readonly identifier: string }>(
  `select identifier, document, version, accepted, answered_at from consents
   where site = $1 and identifier = any($2) order by identifier, document`,
)

/** The answers of users by identifier; users without any are absent. */
export async function listConsents(
  executor: Executor,
  site: number,
  identifiers: readonly string[],
): Promise<Map<string, Consent[]>> {
  const { rows } = await selectOfUsers(executor, [site, identifiers])
  const consents = new Map<string, Consent[]>()
  for (const row of rows) {
    const ofUser = consents.get(row.identifier) ?? []
    ofUser.push(toConsent(row))
    consents.set(row.identifier, ofUser)
  }
  return consents
}

const deleteOthers = defineStatement(
  `delete from consents using unnest($2::text[], $3::jsonb[]) as user_consents (identifier, documents)
   where site = $1 and consents.identifier = user_consents.identifier and not documents ? document`,
)

const upsertConsents = defineStatement(
  `insert into consents (site, identifier, document, version, accepted, answered_at)
   select $1, * from unnest($2::text[], $3::text[], $4::integer[], $5::boolean[], $6::timestamptz[])
   on conflict (site, identifier, document) do update
   set version = excluded.version, accepted = excluded.accepted, answered_at = excluded.answered_at
   where (consents.version, consents.accepted, consents.answered_at)
     is distinct from (excluded.version, excluded.accepted, excluded.answered_at)`,
)

/**
 * Stores exactly these answers of locked users, each user once; other answers of them are deleted. The caller stores the events.
 */
export async function storeConsents(
  executor: Executor,
  site: number,
  changes: readonly (readonly [identifier: string, consents: readonly Consent[]])[],
): Promise<void> {
  if (changes.length === 0) return
  await deleteOthers(executor, [
    site,
    changes.map(([identifier]) => identifier),
    changes.map(([, consents]) => JSON.stringify(consents.map(({ document }) => document))),
  ])
  const rows = changes.flatMap(([identifier, consents]) => consents.map((consent) => ({ identifier, ...consent })))
  if (rows.length === 0) return
  await upsertConsents(executor, [
    site,
    rows.map(({ identifier }) => identifier),
    rows.map(({ document }) => document),
    rows.map(({ version }) => version),
    rows.map(({ accepted }) => accepted),
    rows.map(({ answered_at }) => answered_at),
  ])
}

function toConsent({ document, version, accepted, answered_at }: ConsentRow): Consent {
  return { document, version, accepted, answered_at: toTimestamp(answered_at) }
}
