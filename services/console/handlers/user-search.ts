import { type SiteReference, userPicture, type userSearchProcedures } from '#admin-api'
import type { Call } from '#bus'
import {
  type Link,
  limits,
  MetadataCondition,
  type Output,
  parseMetadataCondition,
  type profileContract,
  type User,
  type UserSearchState,
} from '#contracts'
import { buildPath } from '../admin-paths.ts'
import type { Deps } from '../deps.ts'
import { toPictureVersion } from '../pictures/user-pictures.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { isUnavailable } from './is-unavailable.ts'
import { resolveSite } from './resolve-site.ts'

type Profiles = Output<(typeof profileContract.procedures)['readProfileSummaries']>['profiles']

const notSearched = { users: [], more: false, fields: [], indexing: false }
const noProfiles: Profiles = {}

export const userSearchHandlers = {
  async findUsers({ q, ...name }, deps, { call, request_id }) {
    const { site } = await resolveSite(name, deps, call)
    const profile = withoutProfile(deps, request_id)
    const [byId, byProfile, byMetadata] = await Promise.all([
      deps.identity.findUsers({ site, id: q }, call),
      profile.orNothing(deps.profile.findUsers({ site, q }, call), notSearched),
      findByMetadata(site, q, deps, call),
    ])
    const usersWithMatch = [...byId.users, ...byProfile.users].map(({ identifier }) => identifier)
    const identifiers = [...new Set([...usersWithMatch, ...byMetadata.identifiers])]
    const listed = identifiers.slice(0, limits.found_users)
    const users = await readSummaries({ site, siteName: name }, listed, profile.orNothing, deps, call)
    const metadataMatches = new Set(byMetadata.identifiers)
    const profileMatches = new Map(byProfile.users.map(({ identifier, matches }) => [identifier, matches]))
    const { fields, indexing } = byProfile
    return {
      users: users.map(({ user, links, summary }) => ({
        ...user,
        ...summary,
        matches: [
          ...listIdMatches(q, user, links),
          ...(profileMatches.get(user.identifier) ?? []),
          ...(metadataMatches.has(user.identifier) ? [{ field: 'metadata' as const, providers: [] }] : []),
        ],
      })),
      more: byProfile.more || byMetadata.next !== null || identifiers.length > listed.length,
      fields,
      indexing,
      unavailable: profile.unavailable(),
    }
  },

  async summarizeUsers({ identifiers, ...name }, deps, { call, request_id }) {
    const { site } = await resolveSite(name, deps, call)
    const profile = withoutProfile(deps, request_id)
    const users = await readSummaries({ site, siteName: name }, identifiers, profile.orNothing, deps, call)
    return {
      users: users.map(({ user: { identifier }, summary }) => ({ identifier, ...summary })),
      unavailable: profile.unavailable(),
    }
  },

  async readUserSearch(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return withTotal(site, await deps.profile.readUserSearch({ site }, call), deps, call)
  },

  async changeUserSearch({ fields, ...name }, deps, { audit, call, expected_revision }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.profile.readUserSearch({ site }, call)
    const changed = await deps.profile.changeUserSearch({ site, fields, expected_revision }, call)
    audit({ fields: before.fields }, { fields: changed.fields })
    return withTotal(site, changed, deps, call)
  },
} satisfies AdminHandlers<keyof typeof userSearchProcedures>

/** The newest users with a value of their metadata, if the text is one with a path that the site has named. */
async function findByMetadata(site: number, q: string, { identity }: Pick<Deps, 'identity'>, call: Call) {
  const nothing = { identifiers: [], next: null }
  if (!MetadataCondition.safeParse(q).success) return nothing
  const { paths } = await identity.readMetadataSearch({ site }, call)
  if (!paths.includes(parseMetadataCondition(q).path)) return nothing
  const newest = { sort: 'created', order: 'desc', limit: limits.found_users } as const
  return identity.listMatchingUsers({ site, conditions: { metadata: q }, ...newest }, call)
}

/** Goes on without the service profile while it is unavailable. */
function withoutProfile({ logger }: Pick<Deps, 'logger'>, requestId: string) {
  let isAvailable = true
  return {
    orNothing: <T, N>(request: Promise<T>, nothing: N): Promise<T | N> =>
      request.catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        logger.warn({ error, request_id: requestId }, 'profiles are unavailable; users are listed without them')
        isAvailable = false
        return nothing
      }),
    unavailable: () => (isAvailable ? [] : ['profile' as const]),
  }
}

/** Reads users in the given order with what lists show of their profiles and accounts. */
async function readSummaries(
  { site, siteName }: { readonly site: number; readonly siteName: SiteReference },
  identifiers: readonly string[],
  orNothing: ReturnType<typeof withoutProfile>['orNothing'],
  deps: Deps,
  call: Call,
) {
  const named = { site, identifiers: [...identifiers] }
  const [{ users }, { profiles }] = await Promise.all([
    deps.identity.readLinkedUsers(named, call),
    orNothing(deps.profile.readProfileSummaries(named, call), { profiles: noProfiles }),
  ])
  return users.map(({ user, links }) => {
    const { identifier } = user
    const { name = null, email = null, image_url } = profiles[identifier] ?? {}
    const picture = image_url ? buildPicturePath({ ...siteName, identifier }, image_url) : null
    return { user, links, summary: { name, email, picture, providers: links.map(({ provider }) => provider) } }
  })
}

function listIdMatches(q: string, { identifier, primary_key }: User, links: readonly Link[]) {
  const accounts = links.filter(({ provider_user_id }) => provider_user_id === q)
  return [
    ...(identifier === q ? [{ field: 'identifier' as const, providers: [] }] : []),
    ...(primary_key === q ? [{ field: 'primary_key' as const, providers: [] }] : []),
    ...(accounts.length > 0
      ? [{ field: 'provider_user_id' as const, providers: accounts.map(({ provider }) => provider) }]
      : []),
  ]
}

/** Adds the number of users of the site to the progress of indexing. */
async function withTotal(
  site: number,
  { indexing, ...state }: UserSearchState,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
) {
  if (indexing === null) return { ...state, indexing }
  const { total } = await identity.listUsers({ site, limit: 1 }, call)
  return { ...state, indexing: { ...indexing, users_total: total } }
}

/** The path contains no URL of the provider, only what changes with it. */
function buildPicturePath(user: SiteReference & { readonly identifier: string }, url: string): string {
  const { account, site_id, identifier } = user
  return `${buildPath(userPicture, { account, site_id, identifier })}?version=${toPictureVersion(url)}`
}
