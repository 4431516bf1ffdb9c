import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openForTest, readLinkData, runsAsOneProcess } from '#testing'
import { createNativeAppFixture } from './native-app.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

const fixture = createOwnSiteFixture()
const { serviceStack, site } = fixture
const { app } = createNativeAppFixture(fixture)
let database: ReturnType<typeof openForTest>
beforeAll(() => {
  database = openForTest(serviceStack.database_urls.provider_auth)
  return () => database[Symbol.asyncDispose]()
})

const newUser = () => `Interrupted ${randomUUID()}`
const listJobs = () => database.knex('jobs').where({ task: 'complete_login' })
const endHeadStart = () => database.knex('jobs').update({ run_at: database.knex.fn.now() })

async function findUser(identifier: string) {
  const { user } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())
  return user
}

test('a login that was counted but not persisted is completed; the same ID Token then gets a token', async () => {
  const { access_token, refresh_token, id_token } = await app.logInBySdk('portal', { user: newUser() })
  const body = { access_token, refresh_token, id_token }
  await database.knex.schema.renameTable('credentials', 'credentials_hidden')
  const failed = await app.inject('portal', body)
  await database.knex.schema.renameTable('credentials_hidden', 'credentials')
  expect(failed.status).toBe(500)
  const [job] = await listJobs().select(database.knex.raw('payload::text as payload'))
  expect(job.payload).not.toContain(access_token)
  await endHeadStart()
  await expect.poll(listJobs).toEqual([])

  const identifier = await app.redeem(await app.fetchToken('portal', body))
  expect((await findUser(identifier)).login_count).toBe(1)
  const { credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(credentials.portal).toMatchObject({ client_access_token: access_token, client_refresh_token: refresh_token })
  expect((await app.inject('portal', body)).status).toBe(400)
})

// Identity is unavailable without NATS only if it runs in another process.
test.skipIf(runsAsOneProcess)('503 while identity is unavailable; the same ID Token is accepted later', async () => {
  const { id_token } = await app.logInBySdk('search', { user: newUser() })
  await serviceStack.nats.stop()
  const unavailable = await app.inject('search', { id_token })
  expect([unavailable.status, await unavailable.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }])
  await serviceStack.nats.start()
  await expect.poll(async () => (await app.inject('search', { id_token })).status).not.toBe(503)
  await expect
    .poll(async () => (await app.inject('search', { id_token })).json())
    .toMatchObject({ error_description: expect.stringContaining('was used before') })
})
