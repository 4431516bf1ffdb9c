import { randomUUID } from 'node:crypto'
import { logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import { sendOnce } from '../client.ts'
import type { FaultSite, NewLink } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { authenticateUrl, maskLogins } from './login-operations.ts'

/** The parameters of a request, and the users that it needs. */
interface PreparedParameters {
  readonly parameters: Readonly<Record<string, string>>
  /** Identifiers of the prepared users. */
  readonly users: readonly string[]
}

interface OperationOptions {
  /** Participants besides the gateway, identity and profile. */
  readonly others?: readonly string[]
  readonly mask?: (text: string) => string
}

/** A write operation of the Web API, which a client repeats with its Idempotency-Key. */
function webApiOperation(
  name: string,
  prepare: (site: FaultSite, tag: string) => Promise<PreparedParameters>,
  { others = [], mask = (text) => text }: OperationOptions = {},
): FaultOperation {
  return {
    name,
    participants: ['api-gateway', 'identity', 'profile', ...others],
    async prepare(site, tag) {
      const { parameters, users } = await prepare(site, tag)
      const url = `${site.web_api}/${name}?${new URLSearchParams(parameters)}`
      const headers = { authorization: `Bearer ${site.demo.api_key}`, 'idempotency-key': randomUUID() }
      const attempt = () => sendOnce(url, headers)
      return { users, attempt, repeat: attempt, findUsers: async ({ body }) => readIdentifiers(body), mask }
    },
  }
}

/** A token that was issued again, and when it expires. */
function maskTokens(text: string): string {
  return maskTimes(text).replaceAll(/slas_[\w-]+/g, 'token')
}

function maskTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:]{8}Z/g, 'time')
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
  { others = [], mask = (text) => text }: OperationOptions = {},
): FaultOperation {
  const prepare = async (site: FaultSite, tag: string) => {
    const identifier = await site.createUser({ primary_key: `${tag}-key`, links: [messaging(tag), search(tag)] })
    return { parameters: parametersOf(identifier, tag), users: [identifier] }
  }
  return webApiOperation(name, prepare, { others, mask })
}

/** Prepares a user by an operation of the Web API. */
async function send({ web_api, demo }: FaultSite, operation: string, identifier: string): Promise<void> {
  const headers = { authorization: `Bearer ${demo.api_key}` }
  const response = await fetch(`${web_api}/${operation}?identifier=${identifier}`, { headers })
  if (!response.ok) throw new Error(`${operation} returned ${response.status}.`)
}

/** Services that delete or move the data of links in jobs. */
const withLinkData = ['provider-auth', 'friendship']

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
  onUser('delete_user', (_, tag) => ({ primary_key: `${tag}-key` }), { others: withLinkData }),
  onUser('dissociate', (identifier) => ({ identifier, target_provider: 'search' }), { others: withLinkData }),
  webApiOperation('merge_user', async (site, tag) => {
    const source = await site.createUser({ primary_key: `${tag}-source`, links: [messaging(tag)] })
    const destination = await site.createUser({ primary_key: `${tag}-destination`, links: [search(tag)] })
    const parameters = { source_primary_key: `${tag}-source`, dest_primary_key: `${tag}-destination` }
    return { parameters, users: [source, destination] }
  }),
  onUser('delete_profile', (identifier) => ({ identifier })),
  webApiOperation(
    'association_token',
    async (site, tag) => {
      const identifier = await site.createUser({ links: [messaging(tag)] })
      return { parameters: { identifier, target_provider: 'search' }, users: [identifier] }
    },
    { others: ['provider-auth'], mask: maskTokens },
  ),
  webApiOperation(
    'authenticated_user',
    async (site, tag) => {
      const { searchParams } = await logIn(openTestBrowser(), authenticateUrl(site), { user: tag })
      return { parameters: { token: searchParams.get('token') ?? '' }, users: [] }
    },
    { others: ['provider-auth'], mask: (text) => maskLogins(maskTimes(text)) },
  ),
  webApiOperation('grant_profile', async (site, tag) => {
    const identifier = await site.createUser({ primary_key: `${tag}-key`, links: [messaging(tag)] })
    await send(site, 'delete_profile', identifier)
    return { parameters: { identifier }, users: [identifier] }
  }),
  onUser('block_user', (identifier) => ({ identifier, reason: 'Test' })),
  onUser('update_metadata', (identifier) => ({ identifier, app_metadata: '{"plan":"premium"}' })),
  onUser('record_consents', (identifier) => ({ identifier, accepted_documents: 'terms:1' }), { mask: maskTimes }),
  webApiOperation('unblock_user', async (site, tag) => {
    const identifier = await site.createUser({ links: [messaging(tag)] })
    await send(site, 'block_user', identifier)
    return { parameters: { identifier }, users: [identifier] }
  }),
]
