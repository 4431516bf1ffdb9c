import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createLogger } from '#runtime'
import { startReceiver } from '../../events/test/receiver.ts'
import { detectConditions } from '../background/conditions/detect.ts'
import { setCircuits } from '../store/provider-calls.ts'
import { createSeparateUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createSeparateUsageFixture()
let chat: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  chat = await startReceiver()
  // The test looks for conditions itself, at times of its choice.
  const leasedUntil = new Date('2100-01-01T00:00:00Z')
  await stage
    .knex('leases')
    .insert({ name: 'notices', holder: randomUUID(), leased_until: leasedUntil })
    .onConflict('name')
    .merge()
})
afterAll(() => chat[Symbol.asyncDispose]())

/** A new site whose account has a channel for one kind. The returned function reads the texts that arrived. */
async function openNotifiedSite(kind: string, settings: object = {}) {
  await stage.openNewSite()
  const { account } = stage.site
  const url = `${chat.url}/${account}`
  const channel = { name: 'Chat', chat_url: url, kinds: [kind], ...settings }
  const added = await stage.requestAdminApi('POST', `/accounts/${account}/notice-channels`, channel)
  expect(added.status).toBe(200)
  return (): string[] =>
    chat.received.filter(({ path }) => path.endsWith(`/${account}`)).map(({ body }) => JSON.parse(body).text)
}

async function detect({ daysLater = 0 } = {}) {
  const { knex, serviceStack } = stage
  const now = () => new Date(Date.now() + daysLater * 86_400_000)
  await detectConditions({ ...serviceStack, knex, now, logger: createLogger('test', 'warn') })
  // The console has the time of today, and delivers what is due.
  await knex('notices')
    .where('next_attempt_at', '>', new Date())
    .where({ attempts: 0 })
    .update({ next_attempt_at: new Date() })
}

/** The link of a text, which leads to a page of the site. */
const linkOf = (page: string) =>
  new RegExp(`/accounts/${stage.site.account}/sites/${stage.site.site_id}/${page}#notice-[\\w-]{36}$`)

test('an expiring secret of a provider: 30, 7 and 1 days before, when it has expired, and again with a new secret', async () => {
  const texts = await openNotifiedSite('client_secret_expiring')
  const path = '/providers/social'
  const enterSecret = async (daysValid: number) => {
    const settings = adminApi.readProviderSettings.output.parse((await stage.request('GET', path)).body)
    const expiresAt = `${new Date(Date.now() + daysValid * 86_400_000).toISOString().slice(0, 19)}Z`
    const { client_id, revision } = settings
    const change = { client_id, client_secret: randomUUID(), client_secret_expires_at: expiresAt }
    expect((await stage.request('PUT', path, change, revision)).status).toBe(200)
  }
  await enterSecret(100)
  await detect()
  const titles = [
    [71, 'expires within 30 days'],
    [94, 'expires within 7 days'],
    [99.5, 'expires within a day'],
    [101, 'has expired'],
  ] as const
  for (const [index, [daysLater, title]] of titles.entries()) {
    await detect({ daysLater })
    await detect({ daysLater })
    await expect.poll(() => texts().length).toBe(index + 1)
    expect(texts()[index]).toContain(`${stage.site.site_id}: The client secret of Facebook ${title}`)
    expect(texts()[index]).toMatch(linkOf('providers/social'))
  }
  await enterSecret(20)
  await detect()
  await expect.poll(() => texts().length).toBe(5)
})

test('a webhook that was paused, once until it is enabled and paused again', async () => {
  await using endpoint = await startReceiver(() => ({ status: 410 }))
  const texts = await openNotifiedSite('webhook_failing', { language: 'ja' })
  const { body } = await stage.request('POST', '/webhooks', { name: 'CRM', url: endpoint.url })
  const { endpoint_id } = Object(body).webhook
  const readWebhook = async () =>
    adminApi.readWebhook.output.parse((await stage.request('GET', `/webhooks/${endpoint_id}`)).body)
  const createUser = () =>
    stage.serviceStack.identity.createUser({ site: stage.site.site, links: [] }, stage.serviceStack.call())
  await createUser()
  await expect.poll(async () => (await readWebhook()).paused_because).toBe('gone')
  await detect()
  await detect()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toContain('Webhook「CRM」は、エンドポイントの失敗が続いたため一時停止しました')
  expect(texts()[0]).toMatch(linkOf(`webhooks/${endpoint_id}`))

  endpoint.answerWith(() => ({ status: 204 }))
  await stage.request('PATCH', `/webhooks/${endpoint_id}`, { enabled: true }, (await readWebhook()).revision)
  await detect()
  endpoint.answerWith(() => ({ status: 410 }))
  await createUser()
  await expect.poll(async () => (await readWebhook()).paused_because).toBe('gone')
  await detect()
  await expect.poll(() => texts().length).toBe(2)
})

test('a login provider whose circuit was not closed for five minutes, and again after it was', async () => {
  const texts = await openNotifiedSite('provider_failing')
  const { knex } = stage
  const source = randomUUID()
  const report = (state: 'open' | 'half_open' | 'closed') =>
    knex.transaction((trx) => setCircuits(trx, source, [{ provider: 'messaging', state }]))
  const failForMinutes = async () => {
    await report('open')
    await detect()
    await knex('provider_circuits')
      .where({ source })
      .update({ troubled_since: knex.raw(`now() - interval '6 minutes'`) })
    await report('half_open')
    await detect()
    await detect()
  }
  await failForMinutes()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toContain('Logins with LINE fail')
  expect(texts()[0]).toMatch(linkOf('usage'))
  await report('closed')
  await detect()
  await failForMinutes()
  await expect.poll(() => texts().length).toBe(2)
  await report('closed')
})

test('an API key that was not used for 90 days', async () => {
  const texts = await openNotifiedSite('api_key_unused')
  await detect({ daysLater: 89 })
  await detect({ daysLater: 91 })
  await detect({ daysLater: 92 })
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toContain('The API key “test” has not been used for 90 days')
  expect(texts()[0]).toMatch(linkOf('keys'))
})

test('an API key that is used from a new network, but not from its first one, nor twice from the same', async () => {
  const texts = await openNotifiedSite('api_key_new_network')
  const callFrom = async (address: string) => {
    expect((await stage.callWebApi(address, 'appinfo')).status).toBe(200)
    const isReported = async () =>
      expect(await stage.knex('usage_callers').where({ site: stage.site.site, address }).first()).toBeDefined()
    await waitForReports(isReported)
    await detect()
  }
  await callFrom('203.0.113.7')
  await callFrom('203.0.113.8')
  await callFrom('2001:db8:1:2::3')
  await callFrom('2001:db8:1:9::9')
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toContain('The API key “test” was used from a new network: 2001:db8:1::/48')
  expect(texts()[0]).toMatch(linkOf('keys'))
})

test('a site that is near its rate limit', async () => {
  const texts = await openNotifiedSite('limit_near')
  const { site, knex } = stage
  const { identity, call } = stage.serviceStack
  await identity.changeSite({ site: site.site, requests_per_window: 5 }, call())
  for (let count = 0; count < 5; count++) await stage.callWebApi('203.0.113.7', 'appinfo')
  const hours = () => knex('usage_calls').where({ site: site.site, span: 'hour' })
  const isReported = async () =>
    expect(Number((await hours().sum({ calls: 'calls' }).first())?.calls)).toBeGreaterThan(4)
  await waitForReports(isReported)
  // The calls can be in two minutes.
  await hours().update({ busiest_minute: 4 })
  await detect()
  await detect()
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toContain('The site used 80% of its rate limit')
  expect(texts()[0]).toMatch(linkOf('usage'))
})

test('an export that is ready', async () => {
  const texts = await openNotifiedSite('export_ready')
  await stage.request('POST', '/exports', { password: 'a long password' })
  await expect.poll(() => texts().length).toBe(1)
  expect(texts()[0]).toContain('An export of users is ready')
  expect(texts()[0]).toMatch(linkOf('exports'))
})

test('a channel for single sites gets only notices about them, and the channels of a removed account are removed', async () => {
  const texts = await openNotifiedSite('export_ready')
  const { account } = stage.site
  const path = `/accounts/${account}/notice-channels`
  const channel = { name: 'Other site', chat_url: `${chat.url}/other-${account}`, kinds: ['export_ready'] }
  expect(await stage.requestAdminApi('POST', path, { ...channel, sites: ['other'] })).toMatchObject({
    status: 400,
    body: { error: { reason: 'site_unknown' } },
  })
  await stage.serviceStack.identity.registerSite(
    { account, site_id: 'other', name: 'Other' },
    stage.serviceStack.call(),
  )
  expect(await stage.requestAdminApi('POST', path, { ...channel, sites: ['other'] })).toMatchObject({ status: 200 })
  await stage.request('POST', '/exports', { password: 'a long password' })
  await expect.poll(() => texts().length).toBe(1)
  expect(chat.received.filter((one) => one.path.endsWith(`other-${account}`))).toEqual([])

  await stage.knex('notice_channels').where({ account }).update({ account: 'removed' })
  await detect()
  expect(await stage.knex('notice_channels').where({ account: 'removed' })).toEqual([])
})
