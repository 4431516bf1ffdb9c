import { type Provider, type ProviderData, providers } from '#contracts'
import type { Harness, newUser } from './harness.ts'

type User = ReturnType<typeof newUser>

/** Times a test speaks of: so many milliseconds after it began. */
const began_at = Date.now()
export const at = (ms: number) => new Date(began_at + ms).toISOString()

/** What other services tell and order, in a test's words. */
export function tell({ profile, call }: Harness) {
  return {
    /** A provider supplied a name, its own unless said otherwise, at a time. */
    record: (user: User, provider: Provider, ms: number, full_name: string = provider) => {
      const data: ProviderData = { profile: { full_name }, follow: null, email: [], phone: [] }
      return profile.recordProviderData({ ...user, provider, data, obtained_at: at(ms) }, call())
    },
    unlink: (user: User, provider: Provider, ms: number, rebuild = true) =>
      profile.removeProviders({ ...user, providers: [provider], unlinked_at: at(ms), rebuild }, call()),
    /** The source was merged into the destination, and accounts at providers moved. */
    merge: (source: User, destination: User, moved: Provider[], ms: number, rebuild = true) => {
      const users = { site: source.site, source: source.identifier, destination: destination.identifier }
      return profile.mergeUsers({ ...users, providers: moved, merged_at: at(ms), rebuild }, call())
    },
    combinedName: async (user: User) => (await profile.readProfile(user, call())).profile.full_name,
    /** Each provider's name of the person. */
    names: async (user: User) => {
      const { data } = await profile.readProviderData({ ...user, providers: [...providers] }, call())
      return Object.fromEntries(Object.entries(data).map(([provider, told]) => [provider, told?.profile.full_name]))
    },
  }
}
