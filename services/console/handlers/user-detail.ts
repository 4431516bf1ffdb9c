import type { z } from 'zod'
import { type CredentialState, createReason, formatReason, type UserDetail } from '#admin-api'
import {
  type CombinedProfile,
  type CredentialFreshness,
  compareProviders,
  type Provider,
  profileFields,
} from '#contracts'
import type { AdminHandler } from './admin-handler.ts'
import { isUnavailable } from './is-unavailable.ts'
import { resolveSite } from './resolve-site.ts'

type Part = z.infer<typeof UserDetail>['unavailable'][number]

/** Maximum number of logins in the response. Our choice. */
const maxLogins = 100

/** Reads all data of a user. If a service is unavailable, its part is listed in `unavailable`. */
export const readUser: AdminHandler<'readUser'> = async ({ identifier, ...name }, deps, { call, request_id }) => {
  const { site } = await resolveSite(name, deps, call)
  const user = { site, identifier }
  const unavailable: Part[] = []
  const orUnavailable = <T>(part: Part, request: Promise<T>): Promise<T | undefined> =>
    request.catch((error: unknown) => {
      if (!isUnavailable(error)) throw error
      deps.logger.warn({ error, part, request_id }, 'part of a user is unavailable')
      if (!unavailable.includes(part)) unavailable.push(part)
      return undefined
    })
  const resolved = await deps.identity.resolveUser(user, call)
  const linkIds = resolved.links.map(({ link_id }) => link_id)
  const messaging = resolved.links.find(({ provider }) => provider === 'messaging')
  const [{ logins }, { deletion }, profile, providerData, freshness, friend] = await Promise.all([
    deps.identity.listLogins({ ...user, limit: maxLogins }, call),
    deps.identity.readUserDeletion(user, call),
    orUnavailable('profile', deps.profile.readProfile(user, call)),
    orUnavailable('profile', deps.profile.readProviderData({ site, link_ids: linkIds }, call)),
    orUnavailable('credentials', deps.provider_auth.readCredentialFreshness({ site, link_ids: linkIds }, call)),
    messaging && orUnavailable('friendship', deps.friendship.readStatus({ site, link_id: messaging.link_id }, call)),
  ])
  const byProvider = <T>(byLink: Readonly<Record<string, T>>) =>
    resolved.links.flatMap(({ link_id, provider }): [Provider, T][] => {
      const credential = byLink[link_id]
      return credential === undefined ? [] : [[provider, credential]]
    })
  const { profile_prohibited = false, ...combined } = profile ?? emptyProfile
  return {
    ...resolved,
    logins,
    profile_prohibited,
    profile: combined,
    by_provider: Object.fromEntries(byProvider(providerData?.data ?? {})),
    credentials: listCredentialStates(new Map(byProvider(freshness?.credentials ?? {}))),
    friendship_status: friend?.friendship_status ?? null,
    deletion,
    unavailable,
  }
}

function listCredentialStates(
  credentials: ReadonlyMap<Provider, CredentialFreshness>,
): z.infer<typeof CredentialState>[] {
  const providers = [...credentials].sort(([one], [other]) => compareProviders(one, other))
  return providers.map(([provider, freshness]) => {
    const { state, expires_at, can_refresh, updated_at } = freshness
    return { provider, expires_at, can_refresh, needs_reauth: state === 'needs_reauth', updated_at }
  })
}

/** Previews a merge of two users, or says why it is not possible. */
export const previewMerge: AdminHandler<'previewMerge'> = async ({ identifier, source, ...name }, deps, { call }) => {
  const { site } = await resolveSite(name, deps, call)
  const pair = { site, source, destination: identifier }
  const { conflict, moved, merged, ...users } = await deps.identity.previewMerge(pair, call)
  const profile =
    conflict === null
      ? await deps.profile.previewMerge({ ...pair, link_ids: moved.map(({ link_id }) => link_id) }, call)
      : await deps.profile.readProfile({ site, identifier }, call)
  return {
    possible: conflict === null,
    reason: conflict === null ? null : mergeErrors[conflict],
    before: { source: users.source, destination: users.destination },
    after: { ...merged, profile },
  }
}

const mergeErrors = {
  same_user: formatReason(createReason('same_user')),
  shared_provider: formatReason(createReason('shared_provider')),
} as const

/** Used if the profile is unavailable. */
const emptyProfile: CombinedProfile & { readonly profile_prohibited?: boolean } = {
  // Has every key of `profileFields`.
  profile: {
    ...(Object.fromEntries(Object.keys(profileFields).map((field) => [field, null])) as Record<
      keyof typeof profileFields,
      null
    >),
    last_updated_at: null,
    update_count: 0,
  },
  follow: { followed_by: null, following: null },
  email: [],
  phone: [],
}
