import type { Knex } from 'knex'
import type { UserPosition } from '#contracts'
import {
  type ListSection,
  type MatchConditions,
  selectSmallSets,
  whereMatching,
  whereScanned,
} from './match-conditions.ts'

type Order = 'asc' | 'desc'

/** A place in a list before a page; undefined: the begin of the section. */
export interface SectionPage {
  readonly site: number
  readonly section: ListSection
  readonly order: Order
  readonly after: UserPosition | undefined
  readonly limit: number
}

/** Users of a section. `end`: the last user that was read, if the page is not full although users follow. */
export interface SectionUsers {
  readonly users: UserPosition[]
  readonly end: UserPosition | undefined
}

/** Users that are read in the order of a list, at first and at most, to find those of a page. Our choice. */
const scanLimits = { first: 1_000, most: 20_000 }
/** A set of at most so many users is read and sorted, if the first scan did not find enough. Our choice. */
const smallSet = 2_000

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`
const toTime = "timestamptz 'epoch' + ?::bigint * interval '1 microsecond'"

/** Each section has an index that begins with the site, then has the sorted column, the registration and the identifier. */
const sections = {
  registration: { column: 'registration', value: 'registration', parameter: '?::bigint', users: 'true' },
  login_count: { column: 'login_count', value: 'login_count', parameter: '?::integer', users: 'true' },
  last_logged_in_at: {
    column: 'last_logged_in_at',
    value: micros('last_logged_in_at'),
    parameter: toTime,
    users: 'last_logged_in_at is not null',
  },
  created_at: {
    column: 'created_at',
    value: micros('created_at'),
    parameter: toTime,
    users: 'last_logged_in_at is null',
  },
}

/** The users of a section after a position who meet the conditions. Reads a bounded number of users. */
export async function listSection(knex: Knex, page: SectionPage, conditions: MatchConditions): Promise<SectionUsers> {
  const first = await scanSection(knex, page, conditions, scanLimits.first)
  if (first.end === undefined) return first
  for (const set of selectSmallSets(knex, page.site, conditions)) {
    const members = await knex
      .from(
        set
          .clone()
          .limit(smallSet + 1)
          .as('members'),
      )
      .count<{ count: number }[]>()
    if (Number(members[0]?.count) <= smallSet)
      return { users: await sortSet(knex, set, page, conditions), end: undefined }
  }
  return scanSection(knex, page, conditions, scanLimits.most)
}

/** Reads users in the order of the index, and skips those who do not meet the conditions. */
async function scanSection(
  knex: Knex,
  page: SectionPage,
  conditions: MatchConditions,
  scanLimit: number,
): Promise<SectionUsers> {
  const { section, limit } = page
  const next = selectInOrder(whereScanned(selectAfter(knex('users'), page), conditions, section), page)
  const scanned = knex.from(next.clone().limit(scanLimit).select('*').as('users'))
  const users = await readPositions(
    selectInOrder(whereMatching(scanned, page.site, conditions), page).limit(limit),
    section,
  )
  if (users.length === limit) return { users, end: undefined }
  const [end] = await readPositions(next.offset(scanLimit - 1).limit(1), section)
  return { users, end }
}

/** Reads all users of a small set, each by its key, and sorts them. */
function sortSet(
  knex: Knex,
  set: Knex.QueryBuilder,
  page: SectionPage,
  conditions: MatchConditions,
): Promise<UserPosition[]> {
  const { site, section, limit } = page
  // The limit keeps Postgres from reading all users of the site instead.
  const user = knex('users').where({ site }).whereRaw('users.identifier = members.identifier').limit(1).select('*')
  const members = knex.from(knex.raw('members cross join lateral ? as users', [user]))
  const matching = whereMatching(selectAfter(members, page), site, conditions).select('users.*')
  const sorted = knex.withMaterialized('members', set).withMaterialized('users_of_set', matching).from('users_of_set')
  return readPositions(selectInOrder(sorted, page).limit(limit), section)
}

function selectAfter(users: Knex.QueryBuilder, { site, section, order, after }: SectionPage): Knex.QueryBuilder {
  const { column, parameter, users: ofSection } = sections[section]
  users.where('users.site', site).whereRaw(ofSection)
  if (after === undefined) return users
  const { value, registration, identifier } = after
  const comparison = order === 'asc' ? '>' : '<'
  if (section === 'registration')
    return users.whereRaw(`(registration, users.identifier) ${comparison} (?, ?)`, [registration, identifier])
  return users.whereRaw(`(${column}, registration, users.identifier) ${comparison} (${parameter}, ?, ?)`, [
    value,
    registration,
    identifier,
  ])
}

function selectInOrder(users: Knex.QueryBuilder, { section, order }: SectionPage): Knex.QueryBuilder {
  const columns = [...new Set([sections[section].column, 'registration', 'identifier'])]
  return users.orderBy(columns.map((column) => ({ column, order })))
}

interface PositionRow {
  readonly position_value: number
  readonly position_registration: number
  readonly identifier: string
}

async function readPositions(users: Knex.QueryBuilder, section: ListSection): Promise<UserPosition[]> {
  // The names differ from those of columns, because `order by` takes those of the result first, which no index has.
  const rows: PositionRow[] = await users.select(
    users.client.raw(`${sections[section].value}::float8 as position_value`),
    users.client.raw('registration::float8 as position_registration'),
    'identifier',
  )
  return rows.map(({ position_value: value, position_registration: registration, identifier }) => ({
    section,
    value,
    registration,
    identifier,
  }))
}
