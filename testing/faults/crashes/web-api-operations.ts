import { randomUUID } from 'node:crypto'
import { sendOnce } from '../client.ts'
import type { FaultSite, NewLink } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'

/** The parameters of a request, and the users that it needs. */
interface PreparedParameters {
  readonly parameters: Readonly<Record<string, string>>
  /** Identifiers of the prepared users. */
  readonly users: readonly string[]
}

/** A write operation of the Web API, which a client repeats with its Idempotency-Key. */
function webApiOperation(
  name: string,
  prepare: (site: FaultSite, tag: string) => Promise<PreparedParameters>,
): FaultOperation {
  return {
    name,
    participants: ['api-gateway', 'identity', 'profile'],
    async prepare(site, tag) {
      const { parameters, users } = await prepare(site, tag)
      const url = `${site.web_api}/${name}?${new URLSearchParams(parameters)}`
      const headers = { authorization: `Bearer ${site.demo.api_key}`, 'idempotency-key': randomUUID() }
      const attempt = () => sendOnce(url, headers)
      return { users, attempt, repeat: attempt, findUsers: async ({ body }) => readIdentifiers(body) }
    },
  }
}

function readIdentifiers(body: string): string[] {
  return [...body.matchAll(/"identifier":"([^"]+)"/g)].map(([, identifier = '']) => identifier)
}

const messaging = (tag: string): NewLink => ({ provider: 'messaging', provider_user_id: `${tag}-messaging` })
const search = (tag: string): NewLink => ({ provider: 'search', provider_user_id: `${tag}-search` })

/** An operation on one user with two links and a primary key. */
function onUser(
  name: string,
  parametersOf: (identifier: string, tag: string) => Readonly<Record<string, string>>,
): FaultOperation {
  return webApiOperation(name, async (site, tag) => {
    const identifier = await site.createUser({ primary_key: `${tag}-key`, links: [messaging(tag), search(tag)] })
    return { parameters: parametersOf(identifier, tag), users: [identifier] }
  })
}

export const webApiOperations: readonly FaultOperation[] = [
  webApiOperation('create_user', async (_, tag) => ({
    parameters: {
      primary_key: `${tag}-key`,
      'provider_user_ids[messaging]': `${tag}-messaging`,
      'provider_user_ids[search]': `${tag}-search`,
    },
    users: [],
  })),
  onUser('map', (identifier, tag) => ({ identifier, primary_key: `${tag}-new`, overwrite: 'true' })),
  onUser('unmap', (_, tag) => ({ primary_key: `${tag}-key` })),
  onUser('delete_user', (_, tag) => ({ primary_key: `${tag}-key` })),
  onUser('dissociate', (identifier) => ({ identifier, target_provider: 'search' })),
  webApiOperation('merge_user', async (site, tag) => {
    const source = await site.createUser({ primary_key: `${tag}-source`, links: [messaging(tag)] })
    const destination = await site.createUser({ primary_key: `${tag}-destination`, links: [search(tag)] })
    const parameters = { source_primary_key: `${tag}-source`, dest_primary_key: `${tag}-destination` }
    return { parameters, users: [source, destination] }
  }),
  onUser('delete_profile', (identifier) => ({ identifier })),
  webApiOperation('grant_profile', async (site, tag) => {
    const identifier = await site.createUser({ primary_key: `${tag}-key`, links: [messaging(tag)] })
    const headers = { authorization: `Bearer ${site.demo.api_key}` }
    const prohibited = await fetch(`${site.web_api}/delete_profile?identifier=${identifier}`, { headers })
    if (!prohibited.ok) throw new Error(`delete_profile returned ${prohibited.status}.`)
    return { parameters: { identifier }, users: [identifier] }
  }),
]
