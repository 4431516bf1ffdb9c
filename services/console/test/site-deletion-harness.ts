import type { Knex } from 'knex'
import { beforeAll, expect } from 'vitest'
import type { Role } from '#admin-api'
import { openForTest, type SeededSite, seedSite, waitFor } from '#testing'
import { insertMember, upsertRole } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { insertToken } from '../store/tokens.ts'
import { getFault, getText } from './harness.ts'
import { type Managed, newAccount, openManaged } from './managed.ts'

/** The console of the shared stack, while the tests of a file run. */
export function useManaged(): { managed: Managed } {
  // Filled before the first test.
  const stage = {} as { managed: Managed }
  beforeAll(async () => {
    stage.managed = await openManaged()
    return () => stage.managed[Symbol.asyncDispose]()
  })
  return stage
}

/** Sends requests about the deletion of a site. */
export type SendDeletion = (method: string, path?: string, body?: unknown) => Promise<Response & { read: unknown }>

const hour = 3_600_000

export async function createMember(managed: Managed, site: SeededSite, role: Role | 'operator', name = 'Olga') {
  const now = new Date()
  const memberId = await managed.knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: `${name} ${crypto.randomUUID()}`, operator: role === 'operator', now })
    if (role !== 'operator') await upsertRole(trx, { member_id: id, account: site.account, role })
    return id
  })
  const { url } = managed.serviceStack.console
  const cookie = `console=${await insertMemberSession(managed.knex, { member_id: memberId, browser: 'test', now })}`
  return { member_id: memberId, send: createSender(managed, site, { cookie, 'x-console': '1', origin: url }) }
}

export async function createToken(managed: Managed, site: SeededSite, issuedBy: string | null): Promise<SendDeletion> {
  const now = new Date()
  const expires = { expires_at: new Date(now.getTime() + hour), now }
  const token = { account: site.account, role: 'owner' as const, name: 'CI', issued_by: issuedBy, ...expires }
  return createSender(managed, site, { authorization: `Bearer ${(await insertToken(managed.knex, token)).token}` })
}

function createSender(
  managed: Managed,
  { account, site_id }: SeededSite,
  credentials: Record<string, string>,
): SendDeletion {
  return async (method, path = '', body) => {
    const response = await fetch(
      `${managed.serviceStack.console.url}/admin/v1/accounts/${account}/sites/${site_id}/deletion${path}`,
      {
        method,
        headers: { ...credentials, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    )
    return Object.assign(response, { read: await response.json() })
  }
}

export const seed = (managed: Managed) => seedSite(managed.serviceStack, { account: newAccount() })
export const requestBy = (send: SendDeletion, { site_id }: SeededSite) =>
  send('POST', '', { confirm_site_id: site_id, reason: 'closed shop' })
export const stateOf = ({ read }: { read: unknown }) => getText({ body: read }, 'deletion', 'state')
export const faultOf = ({ read }: { read: unknown }) =>
  getFault({ status: 0, headers: new Headers(), body: read }) ?? 'none'
export const reasonOf = ({ read }: { read: unknown }) => getText({ body: read }, 'error', 'reason')

/** The pause lasts a minute, in which requests of a closed site end. */
export async function skipPauses(managed: Managed, { account, site_id }: SeededSite): Promise<void> {
  await managed
    .knex('site_deletion_requests')
    .where({ account, site_id })
    .whereNotNull('next_step_at')
    .update({ next_step_at: new Date() })
}

export async function waitForDeletion(managed: Managed, site: SeededSite, send: SendDeletion) {
  return waitFor(
    async () => {
      await skipPauses(managed, site)
      const response = await send('GET')
      expect(stateOf(response)).toBe('deleted')
      return response.read
    },
    { interval: 200 },
  )
}

/** Tables of a database with rows of a site. */
async function findTablesWith(knex: Knex, site: number): Promise<string[]> {
  const tables: string[] = await knex('information_schema.columns')
    .where({ table_schema: 'public', column_name: 'site', data_type: 'integer' })
    .whereIn('table_name', knex('information_schema.tables').where({ table_type: 'BASE TABLE' }).select('table_name'))
    .pluck('table_name')
  const filled = await Promise.all(
    tables.map(async (table) => ((await knex(table).where({ site }).first('site')) === undefined ? [] : [table])),
  )
  return filled.flat().toSorted()
}

/** Tables of all services with rows of a site, except the records of its deletion. */
export async function findRemains({ serviceStack }: Managed, site: number): Promise<string[]> {
  const left: string[] = []
  for (const url of [serviceStack.console.database_url, ...Object.values(serviceStack.database_urls)]) {
    await using database = openForTest(url)
    left.push(...(await findTablesWith(database.knex, site)))
  }
  return left.filter((table) => !keptTables.has(table))
}

/** The records of deletions. */
const keptTables = new Set(['site_deletions', 'closed_sites', 'site_deletion_requests', 'site_moves'])
