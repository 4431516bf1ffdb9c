import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Provider } from '#contracts'
import type { ServiceStack } from '#testing'
import { getText } from './harness.ts'
import { type Managed, startManaged } from './managed.ts'

let managed: Managed<ServiceStack>
let site: number
beforeAll(async () => {
  managed = await startManaged()
  const { identity, call } = managed.serviceStack
  site = (await identity.registerSite({ account: 'shop', site_id: 'main', name: 'Main' }, call())).site
})
afterAll(() => managed[Symbol.asyncDispose]())

const path = '/accounts/shop/sites/main/users'

/** A user with an account and a login at each provider, with a name from each. */
async function createUser(providers: readonly Provider[], primaryKey?: string) {
  const { identity, profile, call } = managed.serviceStack
  const links = providers.map((provider) => ({ provider, provider_user_id: randomUUID() }))
  const mapping = primaryKey === undefined ? {} : { primary_key: primaryKey }
  const { user } = await identity.createUser({ site, links, ...mapping }, call())
  const { identifier } = user
  for (const link of links) {
    const { link_id, recorded_at } = await identity.recordLogin({ site, login: randomUUID(), ...link }, call())
    const data = { profile: { full_name: `of ${link.provider}` }, follow: null, email: [], phone: [] }
    await profile.recordProviderData(
      { site, identifier, link_id, provider: link.provider, data, obtained_at: recorded_at },
      call(),
    )
  }
  return { identifier, links }
}

test('a user is found by each ID and returned completely', async () => {
  const viewer = await managed.createClient('shop', 'viewer')
  const primaryKey = randomUUID()
  const { identifier, links } = await createUser(['messaging', 'search'], primaryKey)
  for (const q of [identifier, primaryKey, links[1]?.provider_user_id ?? ''])
    expect(await viewer('POST', `${path}/search`, { q })).toMatchObject({
      body: { users: [{ identifier, primary_key: primaryKey, providers: ['messaging', 'search'] }] },
    })
  expect(await viewer('POST', `${path}/search`, { q: 'unknown' })).toMatchObject({ status: 200, body: { users: [] } })
  expect(await viewer('GET', `${path}/${identifier}`)).toMatchObject({
    status: 200,
    body: {
      user: { identifier, primary_key: primaryKey, login_count: 2 },
      links: [{ provider: 'messaging' }, { provider: 'search' }],
      logins: [{ provider: 'search' }, { provider: 'messaging' }],
      profile_prohibited: false,
      profile: { profile: { full_name: 'of search' } },
      by_provider: { messaging: { profile: { full_name: 'of messaging' } } },
      credentials: [],
      friendship_status: null,
      unavailable: [],
    },
  })
  expect(await viewer('GET', `${path}/${'0'.repeat(40)}`)).toMatchObject({ status: 404 })
})

test('users are listed with their total, with the filters of the Web API', async () => {
  const viewer = await managed.createClient('shop', 'viewer')
  await createUser([], randomUUID())
  await createUser(['portal'])
  const { body } = await viewer('GET', `${path}?limit=100`)
  const { total, users } = Object(body)
  expect(users).toHaveLength(total)
  const mapped = await viewer('GET', `${path}?mapped=mapped_only&created_within=1h&limit=1`)
  expect(mapped).toMatchObject({ body: { users: [{ primary_key: expect.any(String) }] } })
  const late = await viewer('GET', `${path}?last_login_within=1d&limit=100`)
  expect(Reflect.get(Object(late.body), 'total')).toBeLessThan(total)
  expect(await viewer('GET', `${path}?created_within=soon`)).toMatchObject({
    status: 400,
    body: { error: { field: 'created_within' } },
  })
})

test('users are listed newest first, by page or cursor, each once even if new users are created', async () => {
  const { identity, call } = managed.serviceStack
  const { site } = await identity.registerSite({ account: 'shop', site_id: 'ordered', name: 'Ordered' }, call())
  const create = async () => (await identity.createUser({ site, links: [] }, call())).user.identifier
  const created: string[] = []
  for (let n = 0; n < 7; n++) created.push(await create())
  const viewer = await managed.createClient('shop', 'viewer')
  const readPage = async (query: string) => {
    const { body } = await viewer('GET', `/accounts/shop/sites/ordered/users?${query}`)
    const users: { identifier: string }[] = Reflect.get(Object(body), 'users')
    const next: string | null = Reflect.get(Object(body), 'next')
    return { identifiers: users.map(({ identifier }) => identifier), next }
  }
  const list = async (query: string) => (await readPage(query)).identifiers
  const newestFirst = created.toSorted().reverse()
  expect(await list('limit=3')).toEqual(newestFirst.slice(0, 3))
  expect(await list('limit=3&page=1')).toEqual(newestFirst.slice(3, 6))
  expect(await list('limit=3&page=2')).toEqual(newestFirst.slice(6))
  expect(await list('limit=3&page=3')).toEqual([])
  const { next } = await readPage('limit=3')
  expect((await readPage('limit=7')).next).toBeNull()
  const late = await create()
  // Users created in the same second are sorted by identifier, so the new one can be anywhere among them.
  const listAfter = async (query: string) =>
    (await list(`limit=100&after=${next}${query}`)).filter((identifier) => identifier !== late)
  expect(await listAfter('')).toEqual(newestFirst.slice(3))
  expect(await listAfter('&created_within=1h&mapped=not_mapped_only')).toEqual(newestFirst.slice(3))
  expect(await list('limit=100')).toEqual([...created, late].toSorted().reverse())
  expect(await viewer('GET', `/accounts/shop/sites/ordered/users?page=1&after=${next}`)).toMatchObject({
    status: 400,
    body: { error: { field: 'page' } },
  })
  expect(await viewer('GET', `/accounts/shop/sites/ordered/users?after=${late}`)).toMatchObject({
    status: 400,
    body: { error: { field: 'after' } },
  })
})

test('reads of a user’s personal data are in the audit trail with actor and user', async () => {
  const [one, other] = [await createUser(['messaging']), await createUser(['search'])]
  const viewer = await managed.createClient('shop', 'viewer')
  expect((await viewer('GET', `${path}/${'0'.repeat(40)}`)).status).toBe(404)
  expect((await viewer('GET', `${path}/${one.identifier}`)).status).toBe(200)
  const entry = await managed.findLastEntry('shop')
  expect(entry).toMatchObject({
    action: 'readUser',
    site_id: 'main',
    actor: 'viewer',
    token_id: expect.any(String),
    before: null,
    after: { identifier: one.identifier },
    outcome: 'succeeded',
  })
  expect(JSON.stringify(entry)).not.toContain('of messaging')
  await viewer('GET', `${path}/${one.identifier}/merge-preview?source=${other.identifier}`)
  expect(await managed.findLastEntry('shop')).toMatchObject({
    action: 'previewMerge',
    after: { identifier: one.identifier, source: other.identifier },
  })
})

test('an editor can delete and prohibit a profile, a viewer cannot', async () => {
  const { identifier } = await createUser(['messaging'])
  const editor = await managed.createClient('shop', 'editor')
  const viewer = await managed.createClient('shop', 'viewer')
  expect(await viewer('DELETE', `${path}/${identifier}/profile`)).toMatchObject({ status: 403 })
  expect(await editor('DELETE', `${path}/${identifier}/profile?prohibit=true`)).toMatchObject({ status: 200 })
  expect(await viewer('GET', `${path}/${identifier}`)).toMatchObject({
    body: { profile_prohibited: true, profile: { profile: { full_name: null } }, by_provider: {} },
  })
  expect(await managed.findLastEntry('shop', 'action=deleteUserProfile')).toMatchObject({
    action: 'deleteUserProfile',
    after: { identifier, prohibit: true },
  })
})

test('an editor blocks and unblocks a user; the audit trail has no reason', async () => {
  const { identifier } = await createUser(['messaging'])
  const editor = await managed.createClient('shop', 'editor')
  const viewer = await managed.createClient('shop', 'viewer')
  const block = { reason: 'Asked by the user', until: '2100-01-01T00:00:00Z' }
  expect(await viewer('PUT', `${path}/${identifier}/block`, block)).toMatchObject({ status: 403 })
  const past = { ...block, until: '2020-01-01T00:00:00Z' }
  expect(await editor('PUT', `${path}/${identifier}/block`, past)).toMatchObject({
    status: 400,
    body: { error: { field: 'until' } },
  })
  expect(await editor('PUT', `${path}/${identifier}/block`, block)).toMatchObject({ status: 200 })
  const entry = await managed.findLastEntry('shop', 'action=blockUser')
  expect(entry).toMatchObject({ after: { identifier, until: block.until }, outcome: 'succeeded' })
  expect(JSON.stringify(entry)).not.toContain(block.reason)
  const blocked = { ...block, by: 'editor', since: expect.any(String) }
  const { body } = await viewer('GET', `${path}/${identifier}`)
  expect(body).toMatchObject({ user: { block: blocked } })
  expect(Object.keys(Object(body).user)).not.toContain('sessions_ended_at')
  expect(await viewer('GET', `${path}?user_state=blocked`)).toMatchObject({
    body: { total: 1, users: [{ identifier, block: blocked }] },
  })

  expect(await editor('DELETE', `${path}/${identifier}/block`)).toMatchObject({ status: 200 })
  expect(await managed.findLastEntry('shop', 'action=unblockUser')).toMatchObject({ before: { identifier } })
  expect(await viewer('GET', `${path}?user_state=blocked`)).toMatchObject({ body: { total: 0, users: [] } })
})

test('a provider is unlinked, the last one only with force', async () => {
  const { identifier } = await createUser(['messaging', 'portal'])
  const editor = await managed.createClient('shop', 'editor')
  const unlink = (provider: string, query = '') => editor('DELETE', `${path}/${identifier}/links/${provider}${query}`)
  expect(await unlink('messaging')).toMatchObject({ status: 200 })
  expect(await unlink('messaging')).toMatchObject({ status: 404 })
  expect(await unlink('portal')).toMatchObject({ status: 409, body: { error: { name: 'conflict' } } })
  expect(await unlink('portal', '?force=true')).toMatchObject({ status: 200 })
  expect(await editor('GET', `${path}/${identifier}`)).toMatchObject({ body: { links: [] } })
})

test('a merge has the result of its preview: user, links, profile, metadata and consents', async () => {
  const [source, destination] = [await createUser(['messaging'], randomUUID()), await createUser(['search'])]
  const owner = await managed.createClient('shop', 'owner')
  const preview = await owner('GET', `${path}/${destination.identifier}/merge-preview?source=${source.identifier}`)
  expect(preview).toMatchObject({
    status: 200,
    body: {
      possible: true,
      reason: null,
      before: { source: { identifier: source.identifier }, destination: { identifier: destination.identifier } },
    },
  })
  expect(await owner('POST', `${path}/${destination.identifier}/merge`, { source: source.identifier })).toMatchObject({
    status: 200,
  })
  const { body } = await owner('GET', `${path}/${destination.identifier}`)
  const after = Reflect.get(Object(preview.body), 'after')
  const { body: stored } = await owner('GET', `${path}/${destination.identifier}/metadata`)
  const { user, links, profile } = Object(body)
  const { user_metadata, app_metadata } = Object(stored)
  const { consents } = Object((await owner('GET', `${path}/${destination.identifier}/consents`)).body)
  const dated = { ...after.profile.profile, last_updated_at: expect.any(String) }
  expect({ user, links, profile, metadata: { user_metadata, app_metadata }, consents }).toEqual({
    ...after,
    profile: { ...after.profile, profile: dated },
  })
  expect(await owner('GET', `${path}/${source.identifier}`)).toMatchObject({ status: 404 })
})

test('preview and merge reject an impossible merge with the same message', async () => {
  const [one, other] = [await createUser(['messaging']), await createUser(['messaging'])]
  const owner = await managed.createClient('shop', 'owner')
  const reason = 'Both users have an account of the same provider. Unlink one of them first.'
  expect(await owner('GET', `${path}/${one.identifier}/merge-preview?source=${other.identifier}`)).toMatchObject({
    body: { possible: false, reason, after: { user: { identifier: one.identifier } } },
  })
  const merge = (source: string) => owner('POST', `${path}/${one.identifier}/merge`, { source })
  expect(await merge(other.identifier)).toMatchObject({ status: 409, body: { error: { message: reason } } })
  expect(await merge(one.identifier)).toMatchObject({ status: 400, body: { error: { field: 'source' } } })
})

test('a user is deleted permanently', async () => {
  const { identifier } = await createUser(['messaging'])
  const owner = await managed.createClient('shop', 'owner')
  expect(await owner('DELETE', `${path}/${identifier}`)).toMatchObject({ status: 200 })
  expect(await owner('GET', `${path}/${identifier}`)).toMatchObject({ status: 404 })
  expect(await owner('DELETE', `${path}/${identifier}`)).toMatchObject({ status: 404 })
})

test('parts of unavailable services are listed, and the others are returned', async () => {
  const { identifier } = await createUser(['messaging'])
  const viewer = await managed.createClient('shop', 'viewer')
  const { stopService } = managed.serviceStack
  await using _friendship = await stopService('friendship')
  expect(await viewer('GET', `${path}/${identifier}`)).toMatchObject({
    status: 200,
    body: { unavailable: ['friendship'], profile: { profile: { full_name: 'of messaging' } } },
  })
  await using _profile = await stopService('profile')
  await using _providerAuth = await stopService('provider-auth')
  const detail = await viewer('GET', `${path}/${identifier}`)
  expect(detail).toMatchObject({
    status: 200,
    body: { user: { identifier }, links: [{}], logins: [{}], by_provider: {} },
  })
  expect(Reflect.get(Object(detail.body), 'unavailable').toSorted()).toEqual(['credentials', 'friendship', 'profile'])
  expect(await viewer('GET', '/accounts/shop/sites/main/clients')).toMatchObject({ status: 503 })
  await using _identity = await stopService('identity')
  const unavailable = await viewer('GET', `${path}/${identifier}`)
  expect([unavailable.status, getText(unavailable, 'error', 'name')]).toEqual([503, 'unavailable'])
})

test('a user who asked to be deleted is shown with the time, and kept by an editor', async () => {
  const { identity, call } = managed.serviceStack
  const { identifier } = await createUser(['messaging'])
  await identity.requestUserDeletion({ site, identifier, waiting_days: 14 }, call())
  const viewer = await managed.createClient('shop', 'viewer')
  const { deletion } = await identity.readUserDeletion({ site, identifier }, call())
  expect(await viewer('GET', `${path}/${identifier}`)).toMatchObject({ status: 200, body: { deletion } })
  expect((await viewer('DELETE', `${path}/${identifier}/deletion`)).status).toBe(403)
  const editor = await managed.createClient('shop', 'editor')
  expect((await editor('DELETE', `${path}/${identifier}/deletion`)).status).toBe(200)
  expect(await viewer('GET', `${path}/${identifier}`)).toMatchObject({ body: { deletion: null } })
})
