import { setTimeout as delay } from 'node:timers/promises'
import type { AdminApi } from '../admin-api.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'

/** A change that an administrator makes. After a fault, the administrator looks whether it was made, and repeats it if not. */
interface Change {
  /** The services that store it, besides the console. */
  readonly participants: readonly string[]
  /** What there must be before the change. */
  readonly arrange?: (admin: AdminApi, tag: string) => Promise<unknown>
  /** Resolves to the status of the answer. */
  readonly send: (admin: AdminApi, tag: string) => Promise<number>
  /** How many times it was made. */
  readonly count: (admin: AdminApi, tag: string) => Promise<number>
}

const changes: Readonly<Record<string, Change>> = {
  console_change_site: {
    participants: ['identity'],
    async send(admin, tag) {
      const { etag } = await admin.send('GET', `/sites/${siteOf(tag)}`)
      return (await admin.send('PATCH', `/sites/${siteOf(tag)}`, { name: tag }, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}`), `"name":"${tag}"`),
  },
  console_issue_key: {
    participants: ['identity'],
    send: async (admin, tag) => (await admin.send('POST', `/sites/${siteOf(tag)}/keys`, { name: tag })).status,
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/keys`), `"name":"${tag}"`),
  },
  console_create_client: {
    participants: ['provider-auth', 'identity'],
    async send(admin, tag) {
      const client = { kind: 'confidential', name: tag, redirect_uris: ['https://shop.example.com/callback'] }
      return (await admin.send('POST', `/sites/${siteOf(tag)}/clients`, client)).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/clients`), `"name":"${tag}"`),
  },
  console_save_provider: {
    participants: ['provider-auth', 'identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/providers/staff`
      const { etag } = await admin.send('GET', path)
      const body = { client_id: tag, client_secret: 'secret', definition: provider }
      return (await admin.send('PUT', path, body, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/providers`), `"client_id":"${tag}"`),
  },
  console_add_host: {
    participants: ['provider-auth', 'identity'],
    send: async (admin, tag) =>
      (await admin.send('POST', `/sites/${siteOf(tag)}/hosts`, { host: hostOf(tag), purpose: 'login' })).status,
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/hosts`), `"host":"${hostOf(tag)}"`),
  },
  console_remove_host: {
    participants: ['provider-auth', 'identity'],
    arrange: (admin, tag) => admin.send('POST', `/sites/${siteOf(tag)}/hosts`, { host: hostOf(tag), purpose: 'login' }),
    send: async (admin, tag) => (await admin.send('DELETE', `/sites/${siteOf(tag)}/hosts/${hostOf(tag)}`)).status,
    count: async (admin, tag) => 1 - count(await admin.read(`/sites/${siteOf(tag)}/hosts`), `"host":"${hostOf(tag)}"`),
  },
  console_turn_off_shared_host: {
    participants: ['provider-auth', 'identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/hosts`
      const { etag } = await admin.send('GET', path)
      return (await admin.send('PATCH', path, { shared_host: false }, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/hosts`), '"shared_host":false'),
  },
  console_publish_look: {
    participants: ['provider-auth', 'identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/look`
      const { etag } = await admin.send('GET', path)
      const body = { theme: { logo }, words: { en: { 'choice.more': tag } }, publish: true }
      return (await admin.send('PUT', path, body, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/look`), '"published_by"'),
  },
  console_turn_on_account_page: {
    participants: ['provider-auth', 'identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/account-page`
      const { etag } = await admin.send('GET', path)
      return (await admin.send('PUT', path, { enabled: true }, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/account-page`), '"enabled":true'),
  },
  console_change_terms: {
    participants: ['provider-auth', 'identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/terms`
      const { etag } = await admin.send('GET', path)
      const terms = { name: 'terms', kind: 'required', version: 1, texts: { en: { title: tag } } }
      return (await admin.send('PUT', path, { documents: [terms] }, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/terms`), `"title":"${tag}"`),
  },
  console_change_metadata_search: {
    participants: ['identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/metadata-search`
      const { etag } = await admin.send('GET', path)
      return (await admin.send('PUT', path, { paths: ['app_metadata.plan'] }, { 'if-match': etag })).status
    },
    // The index is complete once, whatever the job met.
    count: async (admin, tag) =>
      count(await readEnded(admin, `/sites/${siteOf(tag)}/metadata-search`, '"started_at"'), '"revision":1'),
  },
  console_change_metadata_schemas: {
    participants: ['identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/metadata-schemas`
      const { etag } = await admin.send('GET', path)
      const schemas = { user_metadata_schema: { properties: { [tag]: true } } }
      return (await admin.send('PATCH', path, schemas, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await admin.read(`/sites/${siteOf(tag)}/metadata-schemas`), `"${tag}":true`),
  },
  console_change_user_search: {
    participants: ['profile', 'identity'],
    async send(admin, tag) {
      const path = `/sites/${siteOf(tag)}/user-search`
      const { etag } = await admin.send('GET', path)
      return (await admin.send('PUT', path, { fields: ['email'] }, { 'if-match': etag })).status
    },
    count: async (admin, tag) => count(await readIndexedSearch(admin, tag), '"fields":["email"]'),
  },
  console_change_users: {
    participants: ['identity'],
    async send(admin, tag) {
      const change = { action: 'end_sessions', identifiers: [unknownUser] }
      return (await admin.send('POST', `/sites/${siteOf(tag)}/bulk-changes`, change)).status
    },
    // The user does not exist, and is reported as unchanged once.
    count: async (admin, tag) =>
      count(await readEnded(admin, `/sites/${siteOf(tag)}/bulk-changes`, '"ended_at":null'), '"unchanged":1'),
  },
  console_invite_member: {
    participants: [],
    send: async (admin, tag) => (await admin.send('POST', '/invitations', { name: tag, role: 'viewer' })).status,
    count: async (admin, tag) => count(await admin.read('/members'), `"name":"${tag}"`),
  },
}

const unknownUser = '0'.repeat(40)
const pollMs = 200

/** Waits until what works in the background has ended: the response has the text before. */
async function readEnded(admin: AdminApi, path: string, running: string): Promise<unknown> {
  for (;;) {
    const read = await admin.read(path)
    if (count(read, running) === 0) return read
    await delay(pollMs)
  }
}

/** Waits until the profiles of the site are indexed. */
async function readIndexedSearch(admin: AdminApi, tag: string): Promise<unknown> {
  for (;;) {
    const read = await admin.read(`/sites/${siteOf(tag)}/user-search`)
    if (count(read, '"indexing":null') > 0) return read
    await delay(pollMs)
  }
}

/** A provider that the site configures, whose discovery document is not read. */
const provider = {
  display_name: { en: 'Staff' },
  protocol: {
    type: 'oidc',
    issuer: 'https://login.example',
    endpoints: {
      authorization: 'https://login.example/authorize',
      token: 'https://login.example/token',
      jwks: 'https://login.example/keys',
    },
  },
}

/** One pixel. It is stored before the look that has it. */
const logo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function hostOf(tag: string): string {
  return `${tag.toLowerCase().replaceAll('_', '-')}.example.com`
}

/** Every case has a site of its own. */
function siteOf(tag: string): string {
  return `site-${tag}`
}

function count(body: unknown, text: string): number {
  return JSON.stringify(body).split(text).length - 1
}

export async function createSite(admin: AdminApi, tag: string): Promise<string> {
  const site = { site_id: siteOf(tag), name: 'Fault tests', kind: 'development' }
  const { status, body } = await admin.send('POST', '/sites', site)
  if (status !== 200) throw new Error(`The site was rejected with ${status}: ${body}`)
  return site.site_id
}

/** Changes of the console, through its Admin API. */
export const consoleOperations: readonly FaultOperation[] = Object.entries(changes).map(([name, change]) => ({
  name,
  participants: ['console', ...change.participants],
  async prepare({ admin }: FaultSite, tag: string) {
    await createSite(admin, tag)
    await change.arrange?.(admin, tag)
    let isFirst = true
    const attempt = async () => {
      try {
        const made = isFirst ? 0 : await change.count(admin, tag)
        isFirst = false
        const status = made > 0 ? 200 : await change.send(admin, tag)
        return status === 200 ? { status, body: `made ${await change.count(admin, tag)} times` } : undefined
      } catch {
        return undefined // reset, refused or timed out
      }
    }
    // Another repeat would be another change, so only the count is read again. Several cases are read at once, so it can be too much.
    const readCount = async () => ({ status: 200, body: `made ${await change.count(admin, tag)} times` })
    const repeat = () => readCount().catch(() => undefined)
    return { users: [], attempt, repeat, findUsers: async () => [] }
  },
}))
