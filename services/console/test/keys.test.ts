import { afterAll, beforeAll, expect, test } from 'vitest'
import { getText } from './harness.ts'
import { type Managed, newAccount, startManaged } from './managed.ts'

let managed: Managed
beforeAll(async () => {
  managed = await startManaged({ gateways: 2 })
  await managed.operator('POST', '/accounts', { account: 'shop', name: 'The shop' })
  await managed.operator('POST', '/accounts/shop/sites', { site_id: 'main', name: 'Main', kind: 'production' })
})
afterAll(() => managed[Symbol.asyncDispose]())

const path = '/accounts/shop/sites/main/keys'
const statuses = (apiKey: string) =>
  Promise.all(
    managed.serviceStack.gateways.map(async (gateway) => {
      const response = await fetch(`${gateway}/appinfo`, { headers: { authorization: `Bearer ${apiKey}` } })
      return response.status
    }),
  )

test('a key is rotated: two are active, each returned once, and every gateway rejects the revoked one', async () => {
  const { operator } = managed
  const account = newAccount()
  const path = `/accounts/${account}/sites/main/keys`
  await operator('POST', '/accounts', { account, name: 'The shop' })
  await operator('POST', `/accounts/${account}/sites`, { site_id: 'main', name: 'Main', kind: 'production' })
  const owner = await managed.createClient(account, 'owner')
  const issue = (name: string) => owner('POST', path, { name })
  const [first, second] = [await issue('first'), await issue('second')]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(await issue('third')).toMatchObject({
    status: 409,
    body: { error: { name: 'conflict', message: 'The site has two active keys. Revoke one first.' } },
  })
  const keys = [first, second].map((issued) => getText(issued, 'api_key') ?? '')
  for (const key of keys) await expect.poll(() => statuses(key)).toEqual([200, 200])

  const apiKeyId = getText(first, 'api_key_id')
  expect(await owner('DELETE', `${path}/${apiKeyId}`)).toMatchObject({ status: 200 })
  await expect.poll(() => statuses(keys[0] ?? '')).toEqual([401, 401])
  expect(await statuses(keys[1] ?? '')).toEqual([200, 200])
  const listed = await operator('GET', path)
  expect(listed).toMatchObject({
    body: {
      keys: [
        { name: 'second', last_four: keys[1]?.slice(-4), revoked_at: null },
        { name: 'first', api_key_id: apiKeyId, revoked_at: expect.any(String) },
      ],
    },
  })
  expect(JSON.stringify(listed.body)).not.toContain(keys[1])
  const { body: trail } = await operator('GET', `/accounts/${account}/audit`)
  expect(trail).toMatchObject({
    entries: [
      { action: 'revokeApiKey', before: { name: 'first' }, after: null },
      { action: 'issueApiKey', outcome: 'rejected', after: { name: 'third' } },
      { action: 'issueApiKey', after: { name: 'second' } },
      { action: 'issueApiKey', after: { name: 'first' } },
      {},
      {},
    ],
  })
  for (const key of keys) expect(JSON.stringify(trail)).not.toContain(key)
})

test('issuing a key requires the role owner; an unknown key is not found', async () => {
  const editor = await managed.createClient('shop', 'editor')
  expect(await editor('POST', path, { name: 'mine' })).toMatchObject({ status: 403 })
  const owner = await managed.createClient('shop', 'owner')
  expect(await owner('DELETE', `${path}/${crypto.randomUUID()}`)).toMatchObject({ status: 404 })
})
