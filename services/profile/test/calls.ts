import { randomUUID } from 'node:crypto'
import type { Provider, ProviderData } from '#contracts'
import { type newUser, type SharedHarness, site } from './harness.ts'

type User = ReturnType<typeof newUser>

/** A user's link to an account at a provider. Its ID does not change when it moves to another user. */
export interface TestLink {
  readonly link_id: string
  readonly provider: Provider
}

export const newLink = (provider: Provider): TestLink => ({ link_id: randomUUID(), provider })

/** A time in milliseconds after the test file started. */
let startedAt = Date.now()
export const at = (ms: number) => new Date(startedAt + ms).toISOString()

const idsOf = (links: readonly TestLink[]) => links.map(({ link_id }) => link_id)

/** Shortcuts for the calls of other services. */
export function callsOf({ profile, call }: SharedHarness) {
  startedAt = Date.now()
  return {
    /** Records a name, by default the provider's, and an e-mail address. */
    record: (user: User, link: TestLink, ms: number, fullName: string = link.provider) => {
      const email = [{ email: `${fullName}@example.com`, verified: true }]
      const data: ProviderData = { profile: { full_name: fullName }, follow: null, email, phone: [] }
      return profile.recordProviderData({ ...user, ...link, data, obtained_at: at(ms) }, call())
    },
    deleteLinks: (
      user: User,
      links: TestLink[],
      ms: number,
      profileChange: 'combine' | 'keep' | 'delete' = 'combine',
    ) => profile.deleteLinks({ ...user, link_ids: idsOf(links), deleted_at: at(ms), profile: profileChange }, call()),
    /** Moves links of the source to the destination. */
    merge: (source: User, destination: User, links: TestLink[], ms: number, combine = true) => {
      const users = { site: source.site, source: source.identifier, destination: destination.identifier }
      return profile.mergeUsers({ ...users, link_ids: idsOf(links), merged_at: at(ms), combine }, call())
    },
    deleteProfile: (user: User, links: TestLink[], prohibit = false) =>
      profile.deleteProfile({ ...user, link_ids: idsOf(links), prohibit }, call()),
    grantProfile: (user: User, links: TestLink[]) => profile.grantProfile({ ...user, link_ids: idsOf(links) }, call()),
    /** The stored data of links of a site, by default that of `newUser`. */
    dataOf: async (links: TestLink[], ofSite = site) => {
      const { data } = await profile.readProviderData({ site: ofSite, link_ids: idsOf(links) }, call())
      return Object.fromEntries(
        links.flatMap(({ link_id, provider }) => (data[link_id] ? [[provider, data[link_id]]] : [])),
      )
    },
    combinedName: async (user: User) => (await profile.readProfile(user, call())).profile.full_name,
    /** The name that each provider supplied, from the user's combined profile. */
    names: async (user: User) => {
      const { email } = await profile.readProfile(user, call())
      return Object.fromEntries(email.map((entry) => [entry.media_id, entry.email.replace('@example.com', '')]))
    },
  }
}
