import { describe, expect, test } from 'vitest'
import { seedSite } from '#testing'
import { createCaller, errorResponses, sendRequest } from '../caller.ts'
import { createTestUser, logInAs, setStage } from '../stage.ts'

const stage = setStage()

interface Page {
  status: string
  users: string[]
  total: number
  size: number
  next_page?: number
  next_uri?: string
}

/** Creates a site with some users, and its server. */
async function siteWith(count: number) {
  const site = await seedSite(stage.serviceStack)
  const webApi = createCaller(stage.serviceStack.web_api, site.api_key)
  const identifiers: string[] = []
  for (let index = 0; index < count; index++) identifiers.push(await createTestUser(webApi))
  // Tests cannot reach the published base URL.
  const follow = (nextUri: string) =>
    sendRequest(nextUri.replace('https://api.example.com/api', stage.serviceStack.web_api), {
      headers: nextUri.includes('key=') ? {} : { 'x-api-key': site.api_key },
    })
  const page = async (parameters: Record<string, string> = {}) => {
    const { status, body } = await webApi.get('users', parameters)
    expect(status).toBe(200)
    return body as Page
  }
  return { site, web_api: webApi, identifiers, follow, page }
}

test('200 with no users and no next page for a site without any', async () => {
  const { page } = await siteWith(0)
  expect(await page()).toEqual({ status: 'ok', users: [], total: 0, size: 0 })
})

test('200 with twenty users per page by default', async () => {
  const { identifiers, page } = await siteWith(21)
  const first = await page()
  expect(first).toMatchObject({ size: 20, total: 21, next_page: 1 })
  expect(first.users).toHaveLength(20)
  const second = await page({ page: '1' })
  expect(second).toEqual({ status: 'ok', users: expect.any(Array), size: 1, total: 21 })
  expect([...first.users, ...second.users].sort()).toEqual(identifiers.sort())
  expect(await page({ limit: '100' })).toMatchObject({ size: 21, total: 21 })
  expect(await page({ page: '7' })).toEqual({ status: 'ok', users: [], size: 0, total: 21 })
})

test('200: next_uri lists every user once, although others are deleted and created meanwhile', async () => {
  const { web_api, identifiers, page, follow } = await siteWith(9)
  const seen: string[] = []
  let current: Page = await page({ limit: '2', created_within: '1h' })
  const [first = ''] = current.users
  for (;;) {
    seen.push(...current.users)
    if (current.next_uri === undefined) break
    if (seen.length === 4) {
      await web_api.get('delete_user', { identifier: first })
      await createTestUser(web_api)
    }
    const address = new URL(current.next_uri)
    expect(address.origin + address.pathname).toBe('https://api.example.com/api/users')
    expect([...address.searchParams.keys()]).toEqual(['key', 'limit', 'created_within', 'cursor'])
    expect(current.next_uri.length).toBeLessThanOrEqual(2_083)
    const next = (await follow(current.next_uri)).body as Page
    if (next.next_page !== undefined) expect(next.next_page).toBe((current.next_page ?? 0) + 1)
    current = next
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(identifiers))
})

test('next_uri contains the key only if it was sent in the query', async () => {
  const { site, web_api, follow } = await siteWith(2)
  const address = `${stage.serviceStack.web_api}/users?limit=1`
  const byHeader = (await sendRequest(address, { headers: { authorization: `Bearer ${site.api_key}` } })).body as Page
  const byForm = (await web_api.post('users', { limit: '1' })).body as Page
  for (const { next_uri = '' } of [byHeader, byForm]) {
    expect(next_uri).toContain('cursor=')
    expect(next_uri).not.toContain('key=')
    expect(await follow(next_uri)).toMatchObject({ status: 200, body: { size: 1 } })
  }
})

describe('400/6 for a next_uri', () => {
  test('whose cursor or parameters were changed', async () => {
    const { page, follow } = await siteWith(3)
    const { next_uri = '' } = await page({ limit: '1', mapped: 'not_mapped_only' })
    const cursor = new URL(next_uri).searchParams.get('cursor') ?? ''
    const changed = cursor.replace(/^(.{10})(.)/, (_, start, next) => start + (next === 'A' ? 'B' : 'A'))
    for (const address of [
      next_uri.replace(cursor, changed),
      next_uri.replace(cursor, cursor.slice(1)),
      next_uri.replace(cursor, 'x'),
      next_uri.replace('limit=1', 'limit=2'),
      next_uri.replace('&limit=1', ''),
      next_uri.replace('mapped=not_mapped_only', 'mapped=mapped_only'),
      `${next_uri}&created_within=1h`,
      `${next_uri}&page=1`,
    ])
      expect(await follow(address)).toMatchObject(errorResponses.invalid_parameter)
    expect(await follow(next_uri)).toMatchObject({ status: 200 })
  })

  test('of another site', async () => {
    const { page } = await siteWith(2)
    const { next_uri = '' } = await page({ limit: '1' })
    const cursor = new URL(next_uri).searchParams.get('cursor') ?? ''
    expect(await stage.web_api.get('users', { limit: '1', cursor })).toMatchObject(errorResponses.invalid_parameter)
  })
})

describe('filters', () => {
  test('200: mapped filters users with and without a primary_key', async () => {
    const { web_api, identifiers, page } = await siteWith(3)
    const mapped = await createTestUser(web_api, { primary_key: 'p' })
    expect(await page({ mapped: 'mapped_only' })).toMatchObject({ users: [mapped], total: 1, size: 1 })
    const { users, total } = await page({ mapped: 'not_mapped_only' })
    expect([users.sort(), total]).toEqual([identifiers.sort(), 3])
  })

  test('200: last_login_within filters by last login, created_within by creation', async () => {
    const { site, identifiers, page } = await siteWith(1)
    const loggedIn = await logInAs({ ...stage, site }, 'Yuki Mori')
    expect(await page({ last_login_within: '1d' })).toMatchObject({ users: [loggedIn], total: 1 })
    const { users } = await page({ created_within: '90m' })
    expect(users.sort()).toEqual([...identifiers, loggedIn].sort())
    const both = await page({ created_within: '1h', last_login_within: '1h', mapped: 'not_mapped_only' })
    expect(both).toMatchObject({ users: [loggedIn], total: 1 })
  })
})

test.each([
  { limit: '0' },
  { limit: '101' },
  { limit: '-1' },
  { limit: 'ten' },
  { limit: '1e1' },
  { page: '-1' },
  { page: '1.5' },
  { page: 'first' },
  { page: '9'.repeat(20) },
  { last_login_within: '1' },
  { last_login_within: '0s' },
  { last_login_within: '-1d' },
  { last_login_within: '1.5h' },
  { created_within: '1w' },
  { created_within: '99999999999999d' },
  { created_within: '１d' },
  { mapped: 'all' },
  { mapped: 'true' },
])('400/6 for %j', async (parameters) => {
  expect(await stage.web_api.get('users', parameters)).toMatchObject(errorResponses.invalid_parameter)
})

test('200 when parameters are empty: they count as absent', async () => {
  const parameters = { limit: '', page: '', mapped: '', created_within: '' }
  expect(await stage.web_api.get('users', parameters)).toMatchObject({ status: 200 })
})
