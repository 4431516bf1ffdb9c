import { defineStatement, isDistributed, type RunStatement } from '#database'

/** Subqueries of a statement that changes users. Each has the columns of `countedColumns`. */
interface ChangedUsers {
  /** The users as they are after the statement. */
  readonly after?: string
  /** The users as they were before it. They must be locked, or be deleted by the statement. */
  readonly before?: string
}

/** What decides how a user is counted. */
export const countedColumns = 'site, registration, primary_key, last_logged_in_at'

/**
 * The insert of the changed counts of users, for the statement that changes them: it does nothing while triggers count users
 * (`migrations/user-counts.ts`).
 */
export function insertOfCounts({ after, before }: ChangedUsers): string {
  const parts = [
    ...(before === undefined ? [] : [`select ${countedColumns}, -1 as n from ${before}`]),
    ...(after === undefined ? [] : [`select ${countedColumns}, 1 as n from ${after}`]),
  ]
  return `insert into user_count_deltas (site, registration, login, n_all, n_mapped)
   select site, registration >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
     sum(n), coalesce(sum(n) filter (where primary_key is not null), 0)
   from (${parts.join(' union all ')}) as changes
   where statements_count_users()
   group by 1, 2, 3
   having sum(n) <> 0 or sum(n) filter (where primary_key is not null) <> 0`
}

const selectBefore = `select ${countedColumns} from users where site = $1 and identifier = $2`

/** A statement that changes users. */
interface UserChange {
  /** Further parts of the statement, before the change: `name as (…), …`. */
  readonly parts?: string
  /** An insert, update or delete of `users`, without what it returns. An update is of a locked user: site `$1`, identifier `$2`. */
  readonly change: string
  /** Columns of the rows of the result; none by default. */
  readonly returning?: string
}

/**
 * Defines a statement that changes users. In a distributed database, which has no triggers, it also counts them; the count costs
 * 5 % of a login, so it is not in the statement for one Postgres.
 */
export function defineUserChange<R>({ parts, change, returning = '' }: UserChange): RunStatement<R> {
  const kind = change.trimStart().slice(0, 6)
  const counts = {
    insert: { after: 'changed' },
    update: { before: 'before', after: 'changed' },
    delete: { before: 'changed' },
  }[kind]
  if (counts === undefined) throw new Error(`The change begins with ${kind}.`)
  const first = parts === undefined ? [] : [parts]
  const plain = defineStatement<R>(
    `${parts === undefined ? '' : `with ${parts}\n`}${change}${returning && `\nreturning ${returning}`}`,
  )
  const changedColumns = [
    ...new Set([...returning.split(','), ...countedColumns.split(',')].map((name) => name.trim())),
  ]
  const counted = defineStatement<R>(
    `with ${[
      ...first,
      // Materialized, so that a distributed database reads it before the change, and not after it with the counts.
      ...(kind === 'update' ? [`before as materialized (${selectBefore})`] : []),
      `changed as (${change} returning ${changedColumns.filter((name) => name !== '').join(', ')})`,
      `counted as (${insertOfCounts(counts)})`,
    ].join(', ')}
    select ${returning} from changed`,
  )
  return (executor, values) =>
    (typeof executor === 'function' && isDistributed(executor) ? counted : plain)(executor, values)
}
