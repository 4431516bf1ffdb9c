import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SiteRoles } from '#admin-api'
import { addSiteRoles, insertMember } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { getFault, getText } from './harness.ts'
import { type Managed, newAccount, openManaged } from './managed.ts'

const account = newAccount()
let managed: Managed
beforeAll(async () => {
  managed = await openManaged()
  await managed.operator('POST', '/accounts', { account, name: 'The shop' })
  for (const siteId of ['blog', 'shop']) {
    await managed.operator('POST', `/accounts/${account}/sites`, {
      site_id: siteId,
      name: `Zebra ${siteId}`,
      kind: 'production',
    })
  }
})
afterAll(() => managed[Symbol.asyncDispose]())

/** Creates a member with roles in single sites. */
async function createSiteMember(siteRoles: SiteRoles) {
  const now = new Date()
  const memberId = await managed.knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: 'Sven', operator: false, now })
    await addSiteRoles(trx, { member_id: id, account, site_roles: siteRoles })
    return id
  })
  const cookie = `console=${await insertMemberSession(managed.knex, { member_id: memberId, browser: 'test', now })}`
  const { url } = managed.serviceStack.console
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { cookie, 'x-console': '1', origin: url, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { member_id: memberId, send }
}

test('a member of a site finds this site alone: in lists, in the search, and by its address', async () => {
  const { send } = await createSiteMember({ shop: 'editor' })
  const sites = { sites: [{ site_id: 'shop' }] }
  expect(await send('GET', '/accounts')).toMatchObject({ body: { accounts: [{ account }] } })
  expect(await send('GET', `/accounts/${account}/sites`)).toMatchObject({ status: 200, body: sites })
  const found = await send('GET', '/sites/search?q=zebra')
  expect(found).toMatchObject({ body: sites })
  expect(Reflect.get(Object(found.body), 'sites')).toHaveLength(1)
  expect((await send('GET', `/accounts/${account}/sites/shop`)).status).toBe(200)
  expect((await send('GET', `/accounts/${account}/sites/blog`)).status).toBe(404)
  expect((await send('GET', `/accounts/${account}/sites/blog/clients`)).status).toBe(404)
})

test('a member of a site reads the entries of this site in the audit trail, and no others', async () => {
  const { send } = await createSiteMember({ shop: 'viewer' })
  const entriesOf = async (query = '') => {
    const { body } = await send('GET', `/accounts/${account}/audit?limit=1000${query}`)
    const entries: { site_id: string | null }[] = Reflect.get(Object(body), 'entries')
    return [...new Set(entries.map(({ site_id }) => site_id))]
  }
  expect(await entriesOf()).toEqual(['shop'])
  expect(await entriesOf('&site_id=blog')).toEqual([])
  await managed.operator('PATCH', `/accounts/${account}`, { name: 'Renamed' }, 1)
  expect(await entriesOf()).toEqual(['shop'])
})

test('a member of a site gets a clear message for what concerns the account', async () => {
  const { send } = await createSiteMember({ shop: 'owner' })
  const response = await send('GET', `/accounts/${account}/members`)
  expect(response).toMatchObject({
    status: 403,
    body: { error: { name: 'not_allowed', message: expect.stringContaining('only in single sites') } },
  })
  expect(getFault(await send('POST', `/accounts/${account}/tokens`, { name: 'CI', role: 'viewer' }))).toBe(
    'not_allowed',
  )
  expect(
    getFault(await send('POST', `/accounts/${account}/sites`, { site_id: 'x', name: 'X', kind: 'production' })),
  ).toBe('not_allowed')
})

test('an owner gives and takes roles in sites, which take effect with the next request', async () => {
  const { member_id, send } = await createSiteMember({ shop: 'viewer' })
  const give = (body: object) => managed.operator('PUT', `/accounts/${account}/members/${member_id}`, body)
  const rename = (site: string) => send('PATCH', `/accounts/${account}/sites/${site}`, { name: 'Zebra' })
  expect((await rename('shop')).status).toBe(403)
  expect((await give({ role: null, site_roles: { blog: 'editor' } })).status).toBe(200)
  expect((await rename('shop')).status).toBe(404)
  expect((await rename('blog')).status).toBe(428)
  expect((await give({ role: 'viewer', site_roles: { blog: 'editor' } })).status).toBe(200)
  expect((await rename('shop')).status).toBe(403)
  expect((await rename('blog')).status).toBe(428)
  const listed = await managed.operator('GET', `/accounts/${account}/members`)
  const members: { member_id: string }[] = Reflect.get(Object(listed.body), 'members')
  expect(members.find((member) => member.member_id === member_id)).toMatchObject({
    roles: [
      { account, site_id: null, role: 'viewer' },
      { account, site_id: 'blog', role: 'editor' },
    ],
  })
  expect(await managed.findLastEntry(account)).toMatchObject({
    action: 'changeMember',
    before: { role: null, site_roles: { blog: 'editor' } },
    after: { role: 'viewer', site_roles: { blog: 'editor' } },
  })
})

test('a member needs a role, and the sites must exist', async () => {
  const { member_id } = await createSiteMember({ shop: 'viewer' })
  const give = (body: object) => managed.operator('PUT', `/accounts/${account}/members/${member_id}`, body)
  expect(await give({ role: null })).toMatchObject({ status: 400, body: { error: { field: 'role' } } })
  expect(await give({ role: null, site_roles: { none: 'editor' } })).toMatchObject({
    status: 400,
    body: { error: { field: 'site_roles', message: 'The account has no site none.' } },
  })
})

test('an invitation to a site gives roles in this site alone', async () => {
  const invited = await managed.operator('POST', `/accounts/${account}/invitations`, {
    name: 'Ida',
    role: null,
    site_roles: { blog: 'viewer' },
  })
  const [, token] = getText(invited, 'link')?.split('#') ?? []
  const { url } = managed.serviceStack.console
  const joining = await createSiteMember({ shop: 'viewer' })
  const session = await insertMemberSession(managed.knex, {
    member_id: joining.member_id,
    browser: 'test',
    now: new Date(),
  })
  const joined = await fetch(`${url}/sign-in/join`, {
    method: 'POST',
    headers: { cookie: `console=${session}`, 'x-console': '1', origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect(joined.status).toBe(200)
  expect(await joining.send('GET', '/me')).toMatchObject({
    body: {
      member: {
        roles: [
          { account, site_id: 'blog', role: 'viewer' },
          { account, site_id: 'shop', role: 'viewer' },
        ],
      },
    },
  })
})

test('removing a member removes the roles in sites, and the member', async () => {
  const { member_id, send } = await createSiteMember({ shop: 'owner' })
  expect((await managed.operator('DELETE', `/accounts/${account}/members/${member_id}`)).status).toBe(200)
  expect((await send('GET', '/me')).status).toBe(401)
  expect(await managed.knex('members').where({ member_id })).toEqual([])
})
