import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../../events/test/receiver.ts'
import { type Managed, openManaged, type SendRequest } from './managed.ts'

let managed: Managed
let owner: SendRequest
let account: string
let path: string
let site: number
beforeAll(async () => {
  managed = await openManaged()
  ;({ account, site, send: owner } = await managed.openShop())
  path = `/accounts/${account}/sites/shop/webhooks`
})
afterAll(() => managed[Symbol.asyncDispose]())

const create = async (url: string, settings: object = {}) => {
  const { status, body } = await owner('POST', path, { name: randomUUID(), url, ...settings })
  expect(status).toBe(200)
  const { webhook, secret } = Object(body)
  return { webhook, secret, ofWebhook: `${path}/${webhook.endpoint_id}` }
}

test('a webhook is created with a secret that no later response contains, changed, paused and removed', async () => {
  await using receiver = await startReceiver()
  const { webhook, secret, ofWebhook } = await create(receiver.url, { types: ['user.deleted'] })
  expect(secret).toMatch(/^whsec_/)
  expect(webhook).toMatchObject({
    types: ['user.deleted'],
    signature: 'v1',
    ordered: false,
    enabled: true,
    revision: 1,
  })
  const listed = await owner('GET', path)
  expect(listed.body).toMatchObject({ webhooks: expect.arrayContaining([webhook]) })
  expect(JSON.stringify(listed.body)).not.toContain(secret)
  expect(await owner('PATCH', ofWebhook, { enabled: false }, 1)).toMatchObject({
    status: 200,
    body: { enabled: false },
  })
  expect(await owner('PATCH', ofWebhook, { enabled: true }, 1)).toMatchObject({ status: 412 })
  expect(await managed.findLastEntry(account)).toMatchObject({ action: 'changeWebhook' })
  expect(await owner('DELETE', ofWebhook)).toMatchObject({ status: 200 })
  expect(await owner('GET', ofWebhook)).toMatchObject({ status: 404 })
})

test('a second webhook of a name is a conflict, and a private address is rejected with the reason', async () => {
  await using receiver = await startReceiver()
  const { webhook, ofWebhook } = await create(receiver.url)
  const again = { name: webhook.name, url: receiver.url }
  expect(await owner('POST', path, again)).toMatchObject({ status: 409, body: { error: { name: 'conflict' } } })
  expect(await owner('POST', path, { name: 'private', url: 'https://10.0.0.1/' })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'url', reason: 'public_https' }] } },
  })
  expect(await owner('POST', path, { name: 'not a URL', url: 'shop' })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'url' }] } },
  })
  await owner('DELETE', ofWebhook)
})

test('a test event returns the response, a delivery is listed with its attempts, and sent again', async () => {
  await using receiver = await startReceiver()
  const { ofWebhook } = await create(receiver.url, { types: ['user.created'] })
  expect(await owner('POST', `${ofWebhook}/tests`, {})).toMatchObject({
    status: 200,
    body: { status: 204, error: null },
  })
  const { identity, call } = managed.serviceStack
  await identity.createUser({ site, primary_key: randomUUID(), links: [] }, call())
  const list = async () => Object((await owner('GET', `${ofWebhook}/deliveries`)).body).deliveries
  await expect.poll(list).toMatchObject([{ type: 'user.created', status: 'delivered' }])
  const [{ event_id, attempts }] = await list()
  expect(attempts).toMatchObject([{ status: 204, error: null, response: null }])
  const replay = (selection: object) => owner('POST', `${ofWebhook}/replays`, selection)
  expect(await replay({ event_ids: [event_id] })).toMatchObject({ status: 200, body: { planned: 1 } })
  await expect.poll(() => receiver.received.length).toBe(3)
  for (const selection of [{}, { failed: true, event_ids: [event_id] }, { recorded_since: '2026-01-01T00:00:00Z' }])
    expect(await replay(selection)).toMatchObject({ status: 400, body: { error: { reason: 'one_replay_selection' } } })
  await owner('DELETE', ofWebhook)
})

test('a roll-over returns the new secret, and lists both until the old one expires', async () => {
  await using receiver = await startReceiver()
  const { secret, ofWebhook } = await create(receiver.url)
  const { status, body } = await owner('POST', `${ofWebhook}/secrets`, { overlap_hours: 1 })
  expect([status, Object(body).webhook.secrets.length]).toEqual([200, 2])
  expect(Object(body).secret).not.toBe(secret)
  const signed = await create(receiver.url, { signature: 'v1a' })
  expect([signed.secret, signed.webhook.public_key]).toEqual([null, expect.stringMatching(/^whpk_/)])
  await owner('DELETE', ofWebhook)
  await owner('DELETE', signed.ofWebhook)
})

test('viewers read webhooks, editors change and replay, and only owners create and remove', async () => {
  await using receiver = await startReceiver()
  const { ofWebhook } = await create(receiver.url)
  const [viewer, editor] = await Promise.all([
    managed.createClient(account, 'viewer'),
    managed.createClient(account, 'editor'),
  ])
  const statuses = async (send: SendRequest) => [
    (await send('GET', ofWebhook)).status,
    (await send('POST', `${ofWebhook}/replays`, { failed: true })).status,
    (await send('POST', `${ofWebhook}/secrets`, {})).status,
    (await send('DELETE', ofWebhook)).status,
  ]
  expect(await statuses(viewer)).toEqual([200, 403, 403, 403])
  expect(await statuses(editor)).toEqual([200, 200, 403, 403])
  expect(await statuses(owner)).toEqual([200, 200, 200, 200])
})
