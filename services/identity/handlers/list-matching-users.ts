import {
  Fault,
  type identityContract,
  type Output,
  parseMetadataCondition,
  type UserConditions,
  type UserPosition,
} from '#contracts'
import type { Deps, IdentityHandlers } from '../deps.ts'
import type { ListSection, MatchConditions } from '../store/match-conditions.ts'
import { listSection, type SectionUsers } from '../store/matching-users.ts'
import { findMetadataSearch } from '../store/metadata-searches.ts'
import { listUsersToDelete } from '../store/user-deletions.ts'
import { countUsers } from '../store/user-totals.ts'
import { listUsers } from './list-users.ts'

/** The sections of a list, in this order whether it is ascending or descending. */
const sectionsOf = {
  created: ['registration'],
  last_login: ['last_logged_in_at', 'created_at'],
  logins: ['login_count'],
} as const satisfies Record<string, readonly ListSection[]>

export const listMatchingUsers: IdentityHandlers['listMatchingUsers'] = async (input, deps, context) => {
  const { site, conditions, sort, after, page = 0 } = input
  const counted = toCountedFilter(conditions)
  if (after !== undefined && !sectionsOf[sort].some((section) => section === after.section))
    throw reject('after', 'must be next of the previous page')
  const isCountedList = sort === 'created' && counted !== undefined
  if (page > 0 && !isCountedList)
    throw reject('page', 'works only in the default order, without the conditions of bulk changes; use after')
  const { identifiers, total, next } = isCountedList
    ? await readCountedPage(input, counted, deps, context)
    : await readPageByIndex(input, counted, deps)
  return { identifiers, total, next, to_be_deleted: await listUsersToDelete(deps.knex, site, identifiers) }
}

type Page = Omit<Output<(typeof identityContract.procedures)['listMatchingUsers']>, 'to_be_deleted'>
type PageInput = Parameters<IdentityHandlers['listMatchingUsers']>[0]
type CountedFilter = ReturnType<typeof toCountedFilter>

/** Reads a page of a list that `listUsers` has, too, with its counts. */
async function readCountedPage(
  { site, limit, order, after, page }: PageInput,
  filter: NonNullable<CountedFilter>,
  ...[deps, context]: [Deps, Parameters<IdentityHandlers['listUsers']>[2]]
): Promise<Page> {
  const position = after === undefined ? { page } : { after: after.identifier, after_registration: after.registration }
  const direction = order === 'asc' ? 'oldest_first' : 'newest_first'
  const list = await listUsers({ site, limit, ...filter, order: direction, ...position }, deps, context)
  const { identifiers, total, more, last_registration: registration } = list
  const identifier = identifiers.at(-1)
  const hasNext = more && identifier !== undefined && registration !== undefined
  return {
    identifiers,
    total,
    next: hasNext ? { section: 'registration', value: registration, registration, identifier } : null,
  }
}

/** Reads a page, with the index of metadata as far as it has every value of the path. */
async function readPageByIndex(input: PageInput, counted: CountedFilter, deps: Deps): Promise<Page> {
  const { site, conditions } = input
  if (conditions.metadata === undefined) return readPage(input, counted, deps)
  const { path } = parseMetadataCondition(conditions.metadata)
  const search = await findMetadataSearch(deps.knex, site)
  const hasMetadataIndex = search?.indexing_started_at === null && search.paths.includes(path)
  const page = await readPage({ ...input, conditions: { ...conditions, hasMetadataIndex } }, counted, deps)
  const isSame = !hasMetadataIndex || (await findMetadataSearch(deps.knex, site))?.revision === search.revision
  // A setting that changed in the meantime can have removed values from the index.
  return isSame ? page : readPage(input, counted, deps)
}

async function readPage(
  { site, limit, conditions, sort, order, after }: PageInput & { readonly conditions: MatchConditions },
  counted: CountedFilter,
  { knex }: Deps,
): Promise<Page> {
  const users: UserPosition[] = []
  let end: SectionUsers['end']
  let start = after
  const sections: readonly ListSection[] = sectionsOf[sort]
  for (const section of sections.slice(after === undefined ? 0 : sections.indexOf(after.section))) {
    // One more than requested, to know whether there is a next page.
    const page = { site, section, order, after: start, limit: limit + 1 - users.length }
    const read = await listSection(knex, page, conditions)
    users.push(...read.users)
    start = undefined
    end = read.end
    if (end !== undefined || users.length > limit) break
  }
  const listed = users.slice(0, limit)
  return {
    identifiers: listed.map(({ identifier }) => identifier),
    total: counted === undefined || counted.blocked ? null : await countUsers(knex, { site, ...counted }),
    next: users.length > limit ? (listed.at(-1) ?? null) : (end ?? null),
  }
}

function reject(field: 'after' | 'page', reason: string): Fault {
  return new Fault('invalid_parameter', { fields: [{ field, reason }] })
}

/** The conditions as a filter by which `listUsers` counts users without reading them; undefined if there are others. */
function toCountedFilter({ created_since, last_login_since, mapped, blocked, user_state, ...others }: UserConditions) {
  if (Object.values(others).some((condition) => condition !== undefined)) return undefined
  if (blocked === 'not_blocked_only' || (user_state !== undefined && user_state !== 'blocked')) return undefined
  const isBlocked = blocked === 'blocked_only' || user_state === 'blocked'
  return {
    created_since: toSeconds(created_since),
    logged_in_since: toSeconds(last_login_since),
    mapped,
    ...(isBlocked && { blocked: true as const }),
  }
}

function toSeconds(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1_000
}
