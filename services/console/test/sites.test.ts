import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { type Managed, newAccount, openManaged } from './managed.ts'

const account = newAccount()
const other = newAccount()
const site = { site_id: 'main', name: 'Main', kind: 'production' }

let managed: Managed
beforeAll(async () => {
  managed = await openManaged()
  await managed.operator('POST', '/accounts', { account, name: 'The shop' })
  await managed.operator('POST', '/accounts', { account: other, name: 'Other' })
  await managed.operator('POST', `/accounts/${account}/sites`, site)
})
afterAll(() => managed[Symbol.asyncDispose]())

test('an operator creates each account once, and members see only their own accounts', async () => {
  const { operator, createClient } = managed
  expect(await operator('POST', '/accounts', { account, name: 'Again' })).toMatchObject({
    status: 409,
    body: { error: { name: 'conflict', message: 'An account with this name exists already. Choose another name.' } },
  })
  const viewer = await createClient(account, 'viewer')
  expect(await viewer('GET', '/accounts')).toMatchObject({
    status: 200,
    body: { accounts: [{ account, name: 'The shop', revision: 1 }] },
  })
  expect(await viewer('POST', '/accounts', { account: 'mine', name: 'Mine' })).toMatchObject({ status: 403 })
})

test('an account is renamed with its ETag, and the audit trail has before and after', async () => {
  const owner = await managed.createClient(other, 'owner')
  const read = await owner('GET', `/accounts/${other}`)
  expect(read).toMatchObject({ status: 200, body: { account: other, name: 'Other', revision: 1 } })
  expect(read.headers.get('etag')).toBe('"1"')
  const renamed = await owner('PATCH', `/accounts/${other}`, { name: 'Renamed' }, 1)
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', revision: 2 } })
  expect(renamed.headers.get('etag')).toBe('"2"')
  expect(await owner('PATCH', `/accounts/${other}`, { name: 'Late' }, 1)).toMatchObject({
    status: 412,
    body: { error: { name: 'revision_mismatch' } },
  })
  expect(await managed.findLastEntry(other)).toMatchObject({
    action: 'changeAccount',
    before: { name: 'Other', revision: 1 },
    after: { name: 'Renamed', revision: 2 },
  })
})

test('operators can invite members and issue tokens only for existing accounts', async () => {
  const { operator } = managed
  const unknown = { status: 404, body: { error: { field: 'account', message: 'The account shpo does not exist.' } } }
  expect(await operator('GET', '/accounts/shpo')).toMatchObject(unknown)
  expect(await operator('POST', '/accounts/shpo/invitations', { name: 'Eve', role: 'owner' })).toMatchObject(unknown)
  expect(await operator('POST', '/accounts/shpo/tokens', { name: 'CI', role: 'viewer' })).toMatchObject(unknown)
  expect(await operator('POST', `/accounts/${account}/tokens`, { name: 'CI', role: 'viewer' })).toMatchObject({
    status: 200,
  })
  expect(await operator('GET', '/accounts/shpo/tokens')).toMatchObject({ body: { tokens: [] } })
})

test('a site is created, changed with its ETag, and listed', async () => {
  const account = newAccount()
  await managed.operator('POST', '/accounts', { account, name: 'A new shop' })
  const editor = await managed.createClient(account, 'editor')
  const created = await editor('POST', `/accounts/${account}/sites`, { ...site, allowed_addresses: ['2001:DB8::/32'] })
  expect(created).toMatchObject({
    status: 200,
    body: { account, ...site, allowed_addresses: ['2001:db8::/32'], requests_per_window: 10_000, revision: 1 },
  })
  expect(created.body).not.toHaveProperty('site')
  expect(await editor('POST', `/accounts/${account}/sites`, site)).toMatchObject({ status: 409 })
  const read = await editor('GET', `/accounts/${account}/sites/main`)
  expect([read.headers.get('etag'), read.body]).toEqual(['"1"', created.body])
  expect(await editor('PATCH', `/accounts/${account}/sites/main`, { name: 'No revision' })).toMatchObject({
    status: 428,
  })
  const changed = await editor('PATCH', `/accounts/${account}/sites/main`, { login_history_days: 30 }, 1)
  expect(changed).toMatchObject({ status: 200, body: { name: 'Main', revision: 2 } })
  expect(await editor('PATCH', `/accounts/${account}/sites/main`, { name: 'Late' }, 1)).toMatchObject({ status: 412 })
  expect(await editor('GET', `/accounts/${account}/sites`)).toMatchObject({ body: { sites: [changed.body] } })
  expect(await managed.findLastEntry(account)).toMatchObject({
    action: 'changeSite',
    site_id: 'main',
    before: { login_history_days: null },
    after: { login_history_days: 30 },
  })
})

test('an invalid address is rejected with its index and the reason, and nothing is changed', async () => {
  const editor = await managed.createClient(account, 'editor')
  const { body: before } = await editor('GET', `/accounts/${account}/sites/main`)
  const allowedAddresses = ['192.0.2.7', '192.0.2.7/24', 'shop.example.com']
  const revision = Number(Reflect.get(Object(before), 'revision'))
  const rejected = await editor(
    'PATCH',
    `/accounts/${account}/sites/main`,
    { name: 'X', allowed_addresses: allowedAddresses },
    revision,
  )
  expect(rejected).toMatchObject({
    status: 400,
    body: {
      error: {
        name: 'invalid_request',
        field: 'allowed_addresses.1',
        fields: [
          { field: 'allowed_addresses.1', message: expect.stringContaining('the block is 192.0.2.0/24') },
          { field: 'allowed_addresses.2', message: 'is neither an IP address nor a CIDR block' },
        ],
      },
    },
  })
  expect((await editor('GET', `/accounts/${account}/sites/main`)).body).toEqual(before)
})

test('only operators change the limit and the fixed-address option; others can send the current values', async () => {
  const editor = await managed.createClient(account, 'editor')
  const path = `/accounts/${account}/sites/main`
  const revision = async () => Number(Reflect.get(Object((await editor('GET', path)).body), 'revision'))
  for (const change of [{ requests_per_window: 20_000 }, { fixed_address_option: true }]) {
    expect(await editor('PATCH', path, change, await revision())).toMatchObject({
      status: 403,
      body: { error: { name: 'not_allowed', field: Object.keys(change)[0] } },
    })
    expect(await editor('POST', `/accounts/${account}/sites`, { ...site, site_id: 'new', ...change })).toMatchObject({
      status: 403,
    })
    expect(await managed.operator('PATCH', path, change, await revision())).toMatchObject({ status: 200, body: change })
    expect(await editor('PATCH', path, change, await revision())).toMatchObject({ status: 200 })
  }
})

test('a site of another account and an unknown site are not found', async () => {
  const owner = await managed.createClient(other, 'owner')
  for (const path of ['', '/keys', '/clients', '/providers', '/users', '/field-deletion'])
    expect(await owner('GET', `/accounts/${other}/sites/main${path}`)).toMatchObject({
      status: 404,
      body: { error: { name: 'not_found' } },
    })
})

test('a preview has the caller’s own address, and whether the list allows it', async () => {
  const viewer = await managed.createClient(account, 'viewer')
  const rehearse = (allowedAddresses: string[]) =>
    viewer('POST', `/accounts/${account}/sites/main/allowed-addresses/preview`, {
      allowed_addresses: allowedAddresses,
    })
  expect(await rehearse(['192.0.2.7'])).toMatchObject({
    status: 200,
    body: { your_address: expect.stringMatching(/127\.0\.0\.1|::1/), your_address_allowed: false },
  })
  expect(await rehearse(['127.0.0.1', '::1'])).toMatchObject({ body: { your_address_allowed: true } })
})

test('fields that a site no longer stores are deleted, and the console shows the progress', async () => {
  const { serviceStack, operator } = managed
  const { identity, profile, call } = serviceStack
  const { site } = await identity.readSite({ account, site_id: 'main' }, call())
  const { user } = await identity.createUser({ site, links: [] }, call())
  const userKey = { site, identifier: user.identifier }
  const data = { profile: { bio: 'Hello', city: 'Kyoto' }, follow: null, email: [], phone: [] }
  const obtainedAt = new Date().toISOString()
  const linkId = randomUUID()
  await profile.recordProviderData(
    { ...userKey, link_id: linkId, provider: 'social', data, obtained_at: obtainedAt },
    call(),
  )
  const path = `/accounts/${account}/sites/main`
  const revision = Number(Reflect.get(Object((await operator('GET', path)).body), 'revision'))
  await operator('PATCH', path, { profile_not_stored: { social: ['bio'] } }, revision)
  await expect.poll(async () => (await operator('GET', `${path}/field-deletion`)).body).toEqual({ deletion: null })
  expect((await profile.readProfile(userKey, call())).profile).toMatchObject({ bio: null, city: 'Kyoto' })
})

test('a search finds sites of all accounts of the caller by a part of the name or the site_id, taken literally', async () => {
  const { createClient, operator } = managed
  const [mine, foreign] = [newAccount(), newAccount()]
  for (const name of [mine, foreign]) await operator('POST', '/accounts', { account: name, name })
  const marker = randomUUID()
  const add = (to: string, siteId: string, name: string) =>
    operator('POST', `/accounts/${to}/sites`, { site_id: siteId, name, kind: 'development' })
  await add(mine, 'harbour', `100% Tea ${marker}`)
  await add(mine, 'hill', `100 Tea ${marker}`)
  await add(foreign, 'harbour', `100% Tea ${marker}`)
  const viewer = await createClient(mine, 'viewer')
  const find = async (send: typeof operator, q: string) => {
    const { body } = await send('GET', `/sites/search?q=${encodeURIComponent(q)}`)
    const { sites } = adminApi.findSites.output.parse(body)
    return sites.filter(({ name }) => name.includes(marker)).map((one) => `${one.account}/${one.site_id}`)
  }
  expect(await find(viewer, `0% tea ${marker}`)).toEqual([`${mine}/harbour`])
  expect((await find(viewer, marker)).toSorted()).toEqual([`${mine}/harbour`, `${mine}/hill`])
  expect((await find(operator, `0% TEA ${marker}`)).toSorted()).toEqual(
    [`${foreign}/harbour`, `${mine}/harbour`].toSorted(),
  )
  expect(await viewer('GET', '/sites/search?q=')).toMatchObject({ status: 400 })
})
