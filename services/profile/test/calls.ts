import { randomUUID } from 'node:crypto'
import type { Provider, ProviderData } from '#contracts'
import type { newUser, SharedHarness } from './harness.ts'

type User = ReturnType<typeof newUser>

/** A user's link to an account at a provider. It keeps its id when it moves to another user. */
export interface TestLink {
  readonly link_id: string
  readonly provider: Provider
}

export const newLink = (provider: Provider): TestLink => ({ link_id: randomUUID(), provider })

/** Times of a test: so many milliseconds after its file started. */
let startedAt = Date.now()
export const at = (ms: number) => new Date(startedAt + ms).toISOString()

const idsOf = (links: readonly TestLink[]) => links.map(({ link_id }) => link_id)

/** The calls of other services, in a test's words. */
export function callsOf({ profile, call }: SharedHarness) {
  startedAt = Date.now()
  return {
    /** A provider supplied a name, its own unless said otherwise, and an e-mail address with it. */
    record: (user: User, link: TestLink, ms: number, fullName: string = link.provider) => {
      const email = [{ email: `${fullName}@example.com`, verified: true }]
      const data: ProviderData = { profile: { full_name: fullName }, follow: null, email, phone: [] }
      return profile.recordProviderData({ ...user, ...link, data, obtained_at: at(ms) }, call())
    },
    deleteLinks: (user: User, links: TestLink[], ms: number, kept: 'combine' | 'keep' | 'delete' = 'combine') =>
      profile.deleteLinks({ ...user, link_ids: idsOf(links), deleted_at: at(ms), profile: kept }, call()),
    /** Links of the source become the destination's. */
    merge: (source: User, destination: User, links: TestLink[], ms: number, combine = true) => {
      const users = { site: source.site, source: source.identifier, destination: destination.identifier }
      return profile.mergeUsers({ ...users, link_ids: idsOf(links), merged_at: at(ms), combine }, call())
    },
    deleteProfile: (user: User, links: TestLink[], prohibit = false) =>
      profile.deleteProfile({ ...user, link_ids: idsOf(links), prohibit }, call()),
    grantProfile: (user: User, links: TestLink[]) => profile.grantProfile({ ...user, link_ids: idsOf(links) }, call()),
    /** What is stored of the providers of links. */
    dataOf: async (links: TestLink[]) => {
      const { data } = await profile.readProviderData({ link_ids: idsOf(links) }, call())
      return Object.fromEntries(
        links.flatMap(({ link_id, provider }) => (data[link_id] ? [[provider, data[link_id]]] : [])),
      )
    },
    combinedName: async (user: User) => (await profile.readProfile(user, call())).profile.full_name,
    /** Each provider's name of the person, as the user's combined profile has them. */
    names: async (user: User) => {
      const { email } = await profile.readProfile(user, call())
      return Object.fromEntries(email.map((entry) => [entry.media_id, entry.email.replace('@example.com', '')]))
    },
  }
}
