import type { userSearchProcedures } from '#admin-api'
import type { Call } from '#bus'
import { type Link, limits, type Output, type profileContract, type User, type UserSearchState } from '#contracts'
import type { Deps } from '../deps.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { isUnavailable } from './is-unavailable.ts'
import { resolveSite } from './resolve-site.ts'

type Profiles = Output<(typeof profileContract.procedures)['readProfileSummaries']>['profiles']

const notSearched = { users: [], more: false, fields: [], indexing: false }
const noProfiles: Profiles = {}

export const userSearchHandlers = {
  async findUsers({ q, ...name }, deps, { call, request_id }) {
    const { site } = await resolveSite(name, deps, call)
    let isProfileAvailable = true
    const orNothing = <T, N>(request: Promise<T>, nothing: N): Promise<T | N> =>
      request.catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        deps.logger.warn({ error, request_id }, 'profiles are unavailable; users are found by IDs only')
        isProfileAvailable = false
        return nothing
      })
    const [byId, byProfile] = await Promise.all([
      deps.identity.findUsers({ site, id: q }, call),
      orNothing(deps.profile.findUsers({ site, q }, call), notSearched),
    ])
    const withId = byId.users.map(({ identifier }) => identifier)
    const identifiers = [...new Set([...withId, ...byProfile.users.map(({ identifier }) => identifier)])]
    const listed = identifiers.slice(0, limits.found_users)
    const [{ users }, { profiles }] = await Promise.all([
      deps.identity.readLinkedUsers({ site, identifiers: listed }, call),
      orNothing(deps.profile.readProfileSummaries({ site, identifiers: listed }, call), { profiles: noProfiles }),
    ])
    const profileMatches = new Map(byProfile.users.map(({ identifier, matches }) => [identifier, matches]))
    const { fields, indexing } = byProfile
    return {
      users: users.map(({ user, links }) => ({
        ...user,
        name: profiles[user.identifier]?.name ?? null,
        email: profiles[user.identifier]?.email ?? null,
        providers: links.map(({ provider }) => provider),
        matches: [...listIdMatches(q, user, links), ...(profileMatches.get(user.identifier) ?? [])],
      })),
      more: byProfile.more || identifiers.length > listed.length,
      fields,
      indexing,
      unavailable: isProfileAvailable ? [] : ['profile' as const],
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
