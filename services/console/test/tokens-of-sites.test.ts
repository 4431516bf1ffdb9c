import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMember, upsertRole } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { getFault, getText } from './harness.ts'
import { type Managed, newAccount, openManaged, type SendRequest } from './managed.ts'
import { openAsOperator, openPagesBrowser } from './pages-browser.ts'

const account = newAccount()
let stack: AsyncDisposableStack
let managed: Managed
let browser: Browser
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = stack.use(await openPagesBrowser())
  managed = stack.use(await openManaged())
  await managed.operator('POST', '/accounts', { account, name: 'The shop' })
  for (const siteId of ['blog', 'shop', 'wiki']) {
    await managed.operator('POST', `/accounts/${account}/sites`, {
      site_id: siteId,
      name: `Quagga ${siteId}`,
      kind: 'production',
    })
  }
})
afterAll(() => stack.disposeAsync())

/** Sends requests with the token of a response. */
function useToken(response: unknown): SendRequest {
  const token = getText({ body: response }, 'token')
  return async (method, path, body, revision) => {
    const answer = await fetch(`${managed.serviceStack.console.url}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
}

async function issue(input: object): Promise<{ token_id: string; send: SendRequest }> {
  const response = await managed.operator('POST', `/accounts/${account}/tokens`, { name: 'CI', ...input })
  expect(response.status).toBe(200)
  return { token_id: getText(response, 'token_id') ?? '', send: useToken(response.body) }
}

test('a token for sites finds these sites alone: in lists, in the search, and in the audit trail', async () => {
  const { token_id, send } = await issue({ role: 'editor', sites: ['blog', 'shop'] })
  const sitesOf = async (path: string) => {
    const sites: { site_id: string }[] = Reflect.get(Object((await send('GET', path)).body), 'sites')
    return sites.map(({ site_id }) => site_id).sort()
  }
  expect(await sitesOf(`/accounts/${account}/sites`)).toEqual(['blog', 'shop'])
  expect(await sitesOf('/sites/search?q=quagga')).toEqual(['blog', 'shop'])
  expect(await send('GET', '/accounts')).toMatchObject({ body: { accounts: [{ account }] } })
  expect(await send('GET', '/me')).toMatchObject({
    body: {
      by: 'token',
      member: {
        member_id: token_id,
        operator: false,
        roles: [
          { account, site_id: 'blog', role: 'editor' },
          { account, site_id: 'shop', role: 'editor' },
        ],
      },
    },
  })
  const audit = await send('GET', `/accounts/${account}/audit?limit=1000`)
  const entries: { site_id: string | null }[] = Reflect.get(Object(audit.body), 'entries')
  expect(new Set(entries.map(({ site_id }) => site_id))).toEqual(new Set(['blog', 'shop']))
})

test('a token for sites is rejected by every other site, and by what concerns the account', async () => {
  const { send } = await issue({ role: 'owner', sites: ['shop'] })
  expect((await send('GET', `/accounts/${account}/sites/shop`)).status).toBe(200)
  expect((await send('PATCH', `/accounts/${account}/sites/shop`, { name: 'Quagga shop' }, 1)).status).toBe(200)
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['GET', '/clients'],
    ['GET', '/users?limit=1'],
    ['POST', '/keys', { name: 'stolen' }],
    ['GET', '/exports/6a1f6c1e-7d4f-4a0e-9c59-0d3d3f5f0f4a/file'],
  ] as const) {
    expect((await send(method, `/accounts/${account}/sites/wiki${path}`, body)).status, `${method} ${path}`).toBe(404)
  }
  for (const [method, path, body] of [
    ['GET', '/members'],
    ['GET', '/tokens'],
    ['POST', '/tokens', { name: 'more', role: 'owner' }],
    ['POST', '/invitations', { name: 'me', role: 'owner' }],
    ['POST', '/sites', { site_id: 'mine', name: 'Mine', kind: 'production' }],
    ['GET', '/sign-in'],
    ['PATCH', '', { name: 'Mine' }],
  ] as const) {
    expect(getFault(await send(method, `/accounts/${account}${path}`, body)), `${method} ${path}`).toBe('not_allowed')
  }
  expect(getFault(await send('GET', `/accounts/${newAccount()}/sites`))).toBe('not_found')
  expect(getFault(await send('GET', '/operators'))).toBe('not_allowed')
  expect(getFault(await send('GET', '/audit'))).toBe('not_allowed')
})

test('the role of a token for sites limits it in these sites', async () => {
  const { send } = await issue({ role: 'viewer', sites: ['shop'] })
  expect((await send('GET', `/accounts/${account}/sites/shop/clients`)).status).toBe(200)
  expect(getFault(await send('PATCH', `/accounts/${account}/sites/shop`, { name: 'X' }, 1))).toBe('not_allowed')
})

test('the sites of a token must exist, are listed, and are in the audit trail', async () => {
  const send = (body: object) => managed.operator('POST', `/accounts/${account}/tokens`, { name: 'CI', ...body })
  expect(await send({ role: 'viewer', sites: ['shop', 'none'] })).toMatchObject({
    status: 400,
    body: { error: { field: 'sites', message: 'The account has no site none.' } },
  })
  // An empty list must not become a token for all sites.
  expect(getFault(await send({ role: 'viewer', sites: [] }))).toBe('invalid_request')
  const { token_id } = await issue({ name: 'Deploy', role: 'viewer', sites: ['shop'] })
  expect(await managed.findLastEntry(account)).toMatchObject({
    action: 'issueToken',
    after: { token_id, name: 'Deploy', role: 'viewer', sites: ['shop'] },
  })
  const all = await issue({ name: 'All', role: 'viewer' })
  const listed = await managed.operator('GET', `/accounts/${account}/tokens`)
  const tokens: { token_id: string }[] = Reflect.get(Object(listed.body), 'tokens')
  const sitesOf = (id: string) => Reflect.get(Object(tokens.find((token) => token.token_id === id)), 'sites')
  expect([sitesOf(token_id), sitesOf(all.token_id)]).toEqual([['shop'], null])
  expect((await managed.operator('DELETE', `/accounts/${account}/tokens/${token_id}`)).status).toBe(200)
  expect(await managed.findLastEntry(account)).toMatchObject({
    action: 'revokeToken',
    before: { token_id, role: 'viewer', sites: ['shop'] },
  })
})

test('a lower role of the member revokes tokens for sites as well', async () => {
  const now = new Date()
  const memberId = await managed.knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: 'Oda', operator: false, now })
    await upsertRole(trx, { member_id: id, account, role: 'owner' })
    return id
  })
  const { url } = managed.serviceStack.console
  const session = await insertMemberSession(managed.knex, { member_id: memberId, browser: 'test', now })
  const response = await fetch(`${url}/admin/v1/accounts/${account}/tokens`, {
    method: 'POST',
    headers: { cookie: `console=${session}`, 'x-console': '1', origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'CI', role: 'editor', sites: ['shop'] }),
  })
  const send = useToken(await response.json())
  expect((await send('GET', `/accounts/${account}/sites/shop`)).status).toBe(200)
  const lower = { role: null, site_roles: { shop: 'viewer' } }
  const path = `/accounts/${account}/members/${memberId}`
  await managed.operator('POST', `/accounts/${account}/tokens`, { name: 'keeps an owner', role: 'owner' })
  await managed.knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: 'Last owner', operator: false, now })
    await upsertRole(trx, { member_id: id, account, role: 'owner' })
  })
  expect((await managed.operator('PUT', path, lower)).status).toBe(200)
  expect(getFault(await send('GET', `/accounts/${account}/sites/shop`))).toBe('not_signed_in')
})

test('an earlier release, which looks for the hash alone, does not know a token for sites', async () => {
  const { token_id } = await issue({ role: 'owner', sites: ['shop'] })
  const stored = await managed.knex('tokens').where({ token_id }).first()
  expect(stored).toMatchObject({
    account,
    role: 'owner',
    sites: ['shop'],
    token_hash: expect.stringMatching(/^sites:/),
  })
  const takeLimitsAway = managed.knex('tokens').where({ token_id }).update({ sites: null })
  await expect(takeLimitsAway).rejects.toThrow('tokens_of_sites_are_unknown_to_earlier_releases')
})

test('an owner chooses the sites on the page of tokens', async () => {
  await issue({ name: 'For everything', role: 'viewer' })
  const { url } = managed.serviceStack.console
  const page = await openAsOperator(browser, { url, knex: managed.knex, path: `/accounts/${account}/tokens?new` })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Pipeline of the blog')
  await dialog.getByRole('checkbox', { name: 'Quagga blog (blog)' }).check()
  await dialog.getByRole('button', { name: 'Issue token' }).click()
  await page.getByRole('checkbox', { name: 'I have stored it in a safe place' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /Pipeline of the blog.*Viewer.*blog/ }).waitFor()
  await page.getByRole('row', { name: /For everything.*Viewer.*All/ }).waitFor()
})
