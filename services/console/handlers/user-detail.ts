import type { z } from 'zod'
import type { CredentialState, UserDetail } from '#admin-api'
import { RemoteDefect } from '#bus'
import {
  type CombinedProfile,
  type CredentialFreshness,
  Fault,
  type Provider,
  profileFields,
  providers,
} from '#contracts'
import type { Run } from './procedure.ts'
import { siteOf } from './site-of.ts'

type Part = z.infer<typeof UserDetail>['unavailable'][number]

/** Logins that are shown, at most. Our choice. */
const mostLogins = 100

/** All there is about a user; a part whose service is away is named, and the rest is told. */
export const readUser: Run<'readUser'> = async ({ identifier, ...name }, deps, { call, request_id }) => {
  const { site } = await siteOf(name, deps, call)
  const user = { site, identifier }
  const unavailable: Part[] = []
  const orLess = <T>(part: Part, asked: Promise<T>): Promise<T | undefined> =>
    asked.catch((error: unknown) => {
      if (!isAway(error)) throw error
      deps.logger.warn({ error, part, request_id }, 'a part of a user was not to be had')
      if (!unavailable.includes(part)) unavailable.push(part)
      return undefined
    })
  const resolved = await deps.identity.resolveUser(user, call)
  const linkIds = resolved.links.map(({ link_id }) => link_id)
  const messaging = resolved.links.find(({ provider }) => provider === 'messaging')
  const [{ logins }, profile, supplied, freshness, friend] = await Promise.all([
    deps.identity.listLogins({ ...user, limit: mostLogins }, call),
    orLess('profile', deps.profile.readProfile(user, call)),
    orLess('profile', deps.profile.readProviderData({ link_ids: linkIds }, call)),
    orLess('credentials', deps.provider_auth.readCredentialFreshness({ link_ids: linkIds }, call)),
    messaging && orLess('friendship', deps.friendship.readStatus({ link_id: messaging.link_id }, call)),
  ])
  const byProvider = <T>(byLink: Readonly<Record<string, T>>) =>
    resolved.links.flatMap(({ link_id, provider }): [Provider, T][] => {
      const found = byLink[link_id]
      return found === undefined ? [] : [[provider, found]]
    })
  const { profile_prohibited = false, ...combined } = profile ?? nothingKnown
  return {
    ...resolved,
    logins,
    profile_prohibited,
    profile: combined,
    by_provider: Object.fromEntries(byProvider(supplied?.data ?? {})),
    credentials: credentialStates(new Map(byProvider(freshness?.credentials ?? {}))),
    friendship_status: friend?.friendship_status ?? null,
    unavailable,
  }
}

function isAway(error: unknown): boolean {
  return (error instanceof Fault && error.fault === 'unavailable') || error instanceof RemoteDefect
}

function credentialStates(credentials: ReadonlyMap<Provider, CredentialFreshness>): z.infer<typeof CredentialState>[] {
  return providers.flatMap((provider) => {
    const freshness = credentials.get(provider)
    if (freshness === undefined) return []
    const { state, expires_at, can_refresh, updated_at } = freshness
    return [{ provider, expires_at, can_refresh, needs_reauth: state === 'needs_reauth', updated_at }]
  })
}

/** What a merge would make of two users, and why it would not be done. */
export const previewMerge: Run<'previewMerge'> = async ({ identifier, source, ...name }, deps, { call }) => {
  const { site } = await siteOf(name, deps, call)
  const pair = { site, source, destination: identifier }
  const { conflict: refusal, moved, merged, ...users } = await deps.identity.previewMerge(pair, call)
  const profile =
    refusal === null
      ? await deps.profile.previewMerge({ ...pair, link_ids: moved.map(({ link_id }) => link_id) }, call)
      : await deps.profile.readProfile({ site, identifier }, call)
  return {
    possible: refusal === null,
    reason: refusal === null ? null : reasons[refusal],
    before: { source: users.source, destination: users.destination },
    after: { ...merged, profile },
  }
}

const reasons = {
  same_user: 'A user is not merged into itself.',
  shared_provider: 'Both have an account of one provider; unlink one of them first.',
} as const

/** Stands in for a profile that is not to be had. */
const nothingKnown: CombinedProfile & { readonly profile_prohibited?: boolean } = {
  // Each field there is, as `profileFields` names them.
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
