import type { FaultSite, NewLink } from './site.ts'

/** A request with its parameters, and the users that it needs. */
export interface PreparedRequest {
  readonly parameters: Readonly<Record<string, string>>
  /** Identifiers of the prepared users. */
  readonly users: readonly string[]
}

/** A write operation of the Web API. */
export interface WebApiOperation {
  readonly name: string
  /** @param tag unique text, which is in every primary key and account of the case */
  readonly prepare: (site: FaultSite, tag: string) => Promise<PreparedRequest>
}

const messaging = (tag: string): NewLink => ({ provider: 'messaging', provider_user_id: `${tag}-messaging` })
const search = (tag: string): NewLink => ({ provider: 'search', provider_user_id: `${tag}-search` })

/** An operation on one user with two links and a primary key. */
function onUser(
  name: string,
  parametersOf: (identifier: string, tag: string) => Readonly<Record<string, string>>,
): WebApiOperation {
  return {
    name,
    async prepare(site, tag) {
      const identifier = await site.createUser({ primary_key: `${tag}-key`, links: [messaging(tag), search(tag)] })
      return { parameters: parametersOf(identifier, tag), users: [identifier] }
    },
  }
}

export const webApiOperations: readonly WebApiOperation[] = [
  {
    name: 'create_user',
    prepare: async (_, tag) => ({
      parameters: {
        primary_key: `${tag}-key`,
        'provider_user_ids[messaging]': `${tag}-messaging`,
        'provider_user_ids[search]': `${tag}-search`,
      },
      users: [],
    }),
  },
  onUser('map', (identifier, tag) => ({ identifier, primary_key: `${tag}-new`, overwrite: 'true' })),
  onUser('unmap', (_, tag) => ({ primary_key: `${tag}-key` })),
  onUser('delete_user', (_, tag) => ({ primary_key: `${tag}-key` })),
  onUser('dissociate', (identifier) => ({ identifier, target_provider: 'search' })),
  {
    name: 'merge_user',
    async prepare(site, tag) {
      const source = await site.createUser({ primary_key: `${tag}-source`, links: [messaging(tag)] })
      const destination = await site.createUser({ primary_key: `${tag}-destination`, links: [search(tag)] })
      return {
        parameters: { source_primary_key: `${tag}-source`, dest_primary_key: `${tag}-destination` },
        users: [source, destination],
      }
    },
  },
  onUser('delete_profile', (identifier) => ({ identifier })),
  {
    name: 'grant_profile',
    async prepare(site, tag) {
      const identifier = await site.createUser({ primary_key: `${tag}-key`, links: [messaging(tag)] })
      const headers = { authorization: `Bearer ${site.demo.api_key}` }
      const prohibited = await fetch(`${site.web_api}/delete_profile?identifier=${identifier}`, { headers })
      if (!prohibited.ok) throw new Error(`delete_profile returned ${prohibited.status}.`)
      return { parameters: { identifier }, users: [identifier] }
    },
  },
]
