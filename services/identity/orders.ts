import type { z } from 'zod'
import { friendship, type Merge, type Provider, profile, providerAuth, type SiteDetails } from '#contracts'
import type { UserKey } from './store/users.ts'

/** What other services do about a user after a change here, and what with. Each may be ordered twice, late or out of order. */
export const parts = {
  'profile.changeNotStored': profile.procedures.changeNotStored.input,
  'profile.forgetUser': profile.procedures.forgetUser.input,
  'profile.removeProviders': profile.procedures.removeProviders.input,
  'profile.mergeUsers': profile.procedures.mergeUsers.input,
  'providerAuth.forgetUser': providerAuth.procedures.forgetUser.input,
  'providerAuth.removeProviders': providerAuth.procedures.removeProviders.input,
  'providerAuth.mergeUsers': providerAuth.procedures.mergeUsers.input,
  'friendship.forgetUser': friendship.procedures.forgetUser.input,
  'friendship.removeStatus': friendship.procedures.removeStatus.input,
  'friendship.mergeUsers': friendship.procedures.mergeUsers.input,
} as const
export type Part = keyof typeof parts

/** One part of a change to be done by a follower. */
export interface Order {
  readonly part: Part
  readonly input: Readonly<Record<string, unknown>>
  /** Names this very order among all there ever are. */
  readonly key: string
}

function order<P extends Part>(part: P, input: z.input<(typeof parts)[P]>, names: readonly unknown[]): Order {
  return { part, input, key: [part, input.site, ...names].join(':') }
}

/** Has the profile service store what the site's settings leave, and delete the rest. */
export function storeLess({ site, revision, profile_not_stored }: SiteDetails): Order {
  return order('profile.changeNotStored', { site, revision, profile_not_stored }, [revision])
}

/** Has every other service forget a deleted user. */
export function forgetEverywhere(user: UserKey): Order[] {
  const names = [user.identifier]
  return [
    order('profile.forgetUser', user, names),
    order('providerAuth.forgetUser', user, names),
    order('friendship.forgetUser', user, names),
  ]
}

/** Has what came from unlinked providers removed. */
export function removeEverywhere(
  unlinked: UserKey & { readonly providers: Provider[]; readonly unlinked_at: string },
  { rebuild }: { readonly rebuild: boolean },
): Order[] {
  const { site, identifier, providers, unlinked_at } = unlinked
  const names = [identifier, unlinked_at, ...providers]
  const status = { site, identifier, unlinked_at }
  return [
    order('profile.removeProviders', { ...unlinked, rebuild }, names),
    order('providerAuth.removeProviders', unlinked, names),
    ...(providers.includes('messaging') ? [order('friendship.removeStatus', status, names)] : []),
  ]
}

/** Has what belonged to a merge's source go to the destination. */
export function mergeEverywhere(merge: Merge, { rebuild }: { readonly rebuild: boolean }): Order[] {
  const { source, destination } = merge
  const names = [source, destination]
  return [
    order('profile.mergeUsers', { ...merge, rebuild }, names),
    order('providerAuth.mergeUsers', merge, names),
    order('friendship.mergeUsers', merge, names),
  ]
}
