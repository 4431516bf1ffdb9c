import { afterAll, beforeAll, expect, test } from 'vitest'
import { getText } from './harness.ts'
import { type Managed, newAccount, openManaged } from './managed.ts'

const account = newAccount()

let managed: Managed
let clientId: string
beforeAll(async () => {
  managed = await openManaged()
  const { operator } = managed
  await operator('POST', '/accounts', { account, name: 'The shop' })
  await operator('POST', `/accounts/${account}/sites`, { site_id: 'main', name: 'Main', kind: 'development' })
  const client = { kind: 'confidential', name: 'Shop', redirect_uris: ['https://a.example/cb'] }
  clientId = getText(await operator('POST', `${path}/clients`, client), 'client', 'client_id') ?? ''
})
afterAll(() => managed[Symbol.asyncDispose]())

const path = `/accounts/${account}/sites/main`
const needed = { status: 403, body: { error: { name: 'passkey_required' } } }

async function revisionOf(address: string): Promise<number> {
  const { body } = await managed.operator('GET', address)
  return Reflect.get(Object(body), 'revision')
}

async function change(address: string, changes: object) {
  return managed.unconfirmed('PATCH', address, changes, await revisionOf(address))
}

test.each([
  ['allowed addresses', { allowed_addresses: ['192.0.2.7'] }],
  ['the kind', { kind: 'production' }],
  ['domains', { domains: ['a.example'] }],
  ['what is not stored', { profile_not_stored: { messaging: ['gender'] } }],
  ['the retention of logins', { login_history_days: 30 }],
  ['whether events contain profiles', { profile_in_events: true }],
])('a change of a site’s settings requires the passkey again if %s changes, and not otherwise', async (_, changes) => {
  const before = await managed.operator('GET', path)
  expect(await change(path, { name: 'Renamed', ...changes })).toMatchObject(needed)
  expect((await managed.operator('GET', path)).body).toEqual(before.body)
  const field = Object.keys(changes)[0] ?? ''
  expect(await change(path, { name: 'Main', [field]: Reflect.get(Object(before.body), field) })).toMatchObject({
    status: 200,
  })
  expect(await managed.findLastEntry(account, '')).toMatchObject({ action: 'changeSite', outcome: 'succeeded' })
})

test('creating a client or changing its redirect URIs requires a confirmation, renaming it does not', async () => {
  const client = { kind: 'confidential', name: 'Other', redirect_uris: ['https://b.example/cb'] }
  expect(await managed.unconfirmed('POST', `${path}/clients`, client)).toMatchObject(needed)
  const own = `${path}/clients/${clientId}`
  expect(await change(own, { redirect_uris: ['https://a.example/cb', 'https://evil.example/cb'] })).toMatchObject(
    needed,
  )
  expect(await change(own, { post_logout_redirect_uris: ['https://evil.example/'] })).toMatchObject(needed)
  expect(await change(own, { name: 'Web', redirect_uris: ['https://a.example/cb'] })).toMatchObject({ status: 200 })
  const token = await managed.createClient(account, 'editor')
  const changed = await token('PATCH', own, { redirect_uris: ['https://c.example/cb'] }, await revisionOf(own))
  expect(changed).toMatchObject({ status: 200 })
})

test('changing provider settings requires a confirmation', async () => {
  const entered = { client_id: 'channel', client_secret: 's' }
  expect(await managed.unconfirmed('PUT', `${path}/providers/messaging`, entered, 0)).toMatchObject(needed)
})
