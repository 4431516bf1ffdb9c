import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { newCall } from '#bus'
import { type Migration, migrate, provisionDatabase } from '#database'
import type { Environment } from '#runtime'
import { type ReplicatedPostgres, startReplicatedPostgres } from '#testing'
import { migrations as identityMigrations } from '../../identity/migrations/index.ts'
import { migrations as profileMigrations } from '../../profile/migrations/index.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createSeparateUsageFixture } from './usage-fixture.ts'

const stack = new AsyncDisposableStack()
const environments: { identityEnvironment: Environment; profileEnvironment: Environment } = {
  identityEnvironment: {},
  profileEnvironment: {},
}
let servers: ReplicatedPostgres

// After the services have stopped.
afterAll(() => stack.disposeAsync())
beforeAll(async () => {
  servers = stack.use(await startReplicatedPostgres())
  environments.identityEnvironment = await createDatabase('identity', identityMigrations)
  environments.profileEnvironment = await createDatabase('profile', profileMigrations)
})
const stage = createSeparateUsageFixture(environments)
const openSitePage = createSitePageOpener(stage)
beforeEach(() => stage.openNewSite())

/** Returns the settings of a service that reads from the replica, however old its data is. */
async function createDatabase(name: string, migrations: readonly Migration[]): Promise<Environment> {
  const url = await provisionDatabase(servers.url, { name, password: 'p' })
  await migrate(url, migrations)
  return {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: servers.atReplica(url),
    DATABASE_REPLICA_MAX_AGE_SECONDS: '3600',
  }
}

async function createUser(primaryKey: string): Promise<string> {
  const { identity, call } = stage.serviceStack
  const links = [{ provider: 'messaging' as const, provider_user_id: randomUUID() }]
  return (await identity.createUser({ site: stage.site.site, primary_key: primaryKey, links }, call())).user.identifier
}

/** Lists the users' primary keys by the Admin API. `Age` is null if the primary has answered. */
async function listUsers(maxAgeSeconds?: number): Promise<{ keys: string[]; age: string | null }> {
  const { serviceStack, site, createToken } = stage
  const url = `${serviceStack.console.url}/admin/v1/accounts/${site.account}/sites/${site.site_id}/users`
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${await createToken(site.account, 'viewer')}`,
      ...(maxAgeSeconds === undefined ? {} : { 'cache-control': `max-age=${maxAgeSeconds}` }),
    },
  })
  expect(response.status).toBe(200)
  const { users } = (await response.json()) as { users: { primary_key: string }[] }
  // Users of the same second are in any order.
  return { keys: users.map(({ primary_key }) => primary_key).toSorted(), age: response.headers.get('age') }
}

const anyAge = 3_600

/** Resolves when replicas serve reads that contain everything that is stored now. */
async function whenReplicaServes(
  services: readonly ('identity' | 'profile')[] = ['identity', 'profile'],
): Promise<void> {
  const calledAt = performance.now()
  const input = { site: stage.site.site, identifiers: [] }
  const { identity, profile } = stage.serviceStack
  const isServed = async (service: (typeof services)[number]) => {
    const call = newCall({ maxAgeMs: performance.now() - calledAt })
    await (service === 'identity' ? identity.readUsers(input, call) : profile.readProfileSummaries(input, call))
    return (call.staleness?.ageMs ?? 0) > 0
  }
  for (const service of services) await expect.poll(() => isServed(service)).toBe(true)
}

/** Keeps the replica in its state, at the latest until the test ends. */
async function pauseReplay(): Promise<AsyncDisposable & { readonly resume: () => Promise<void> }> {
  await servers.pauseReplay()
  return { resume: servers.resumeReplay, [Symbol.asyncDispose]: servers.resumeReplay }
}

/** The number of reads of a service that had an outcome. */
async function countReads(service: 'identity' | 'profile', outcome: string): Promise<number> {
  const port = stage.serviceStack.services[service][0]?.operations_port
  const metrics = await (await fetch(`http://localhost:${port}/metrics`)).text()
  const [, count] =
    new RegExp(`sociallogin_stale_reads_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`).exec(metrics) ?? []
  return Number(count ?? 0)
}

test('lists of the console read the replica as far as the reader tolerates its age, and others the primary', async () => {
  await createUser('before')
  await whenReplicaServes()
  await using paused = await pauseReplay()
  const identifier = await createUser('while-paused')
  const stale = await listUsers(anyAge)
  expect(stale.keys).toEqual(['before'])
  expect(Number(stale.age)).toBeGreaterThan(0)
  const current = { keys: ['before', 'while-paused'], age: null }
  expect(await listUsers()).toEqual(current)
  expect(await listUsers(0)).toEqual(current)
  // Single users are always current, whatever the header says.
  const { status } = await stage.request('GET', `/users/${identifier}`)
  expect(status).toBe(200)
  await paused.resume()
  await expect.poll(async () => (await listUsers(anyAge)).keys).toEqual(current.keys)
})

test('a page that deleted a user shows the list without the user at once, although the replica has the user', async () => {
  await createUser('kept')
  await createUser('deleted')
  const page = await openSitePage('/users')
  await page.getByText('deleted', { exact: true }).waitFor()
  const before = await countReads('identity', 'replica')
  const sortAndCount = async () => {
    await page.getByRole('columnheader', { name: 'Logins' }).getByRole('button').click()
    return countReads('identity', 'replica')
  }
  await expect.poll(sortAndCount).toBeGreaterThan(before)
  await using paused = await pauseReplay()
  await page.getByRole('row').filter({ hasText: 'deleted' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete 1 user' }).click()
  const isList = (url: string) => new URL(url).pathname.endsWith('/users')
  const listed = page
    .waitForResponse((response) => response.request().method() === 'DELETE')
    .then(() => page.waitForResponse((response) => isList(response.url())))
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 user' }).click()
  const response = await listed
  expect(response.headers().age).toBeUndefined()
  expect(await response.text()).not.toContain('"deleted"')
  await page.getByText('deleted', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('kept', { exact: true }).waitFor()
  expect((await listUsers(anyAge)).keys).toContain('deleted')
  await paused.resume()
})

test('an export contains what was changed before its start, although the replica lacks it', async () => {
  await whenReplicaServes()
  await using paused = await pauseReplay()
  for (let n = 0; n < 110; n++) await createUser(`key-${n}`)
  const input = { password: 'correct horse battery staple', with_profile: true }
  expect((await stage.request('POST', '/exports', input)).status).toBe(200)
  const { site } = stage.site
  const readExport = () => stage.knex('exports').where({ site }).first('state', 'written')
  await expect.poll(readExport).toEqual({ state: 'ready', written: 110 })
  await paused.resume()
})

test('`users` of the Web API reads the replica and states its age, only if the site allows it', async () => {
  const listTotal = async (headers: Record<string, string> = {}) => {
    const { serviceStack, site } = stage
    const response = await fetch(`${serviceStack.web_api}/users`, {
      headers: { 'x-api-key': site.api_key, ...headers },
    })
    const { total } = (await response.json()) as { total: number }
    return { total, hasAge: Number(response.headers.get('age')) > 0 }
  }
  await createUser('before')
  await whenReplicaServes()
  await using paused = await pauseReplay()
  await createUser('while-paused')
  const current = { total: 2, hasAge: false }
  expect(await listTotal()).toEqual(current)
  expect(await listTotal({ 'cache-control': 'max-age=60' })).toEqual(current)
  const site = adminApi.readSite.output.parse((await stage.request('GET', '')).body)
  expect((await stage.request('PATCH', '', { users_may_be_stale: true }, site.revision)).status).toBe(200)
  await expect.poll(() => listTotal()).toEqual({ total: 1, hasAge: true })
  expect(await listTotal({ 'cache-control': 'max-age=0' })).toEqual(current)
  await paused.resume()
  await expect.poll(async () => (await listTotal()).total).toBe(2)
})

test('no request fails while the replica is killed, and none reads it after its promotion', async () => {
  await whenReplicaServes()
  await servers.replica.kill()
  await createUser('without-a-replica')
  expect((await listUsers(anyAge)).keys).toContain('without-a-replica')
  await servers.replica.start()
  await whenReplicaServes()
  await servers.promote()
  const countPromoted = async () => {
    await listUsers(anyAge)
    return countReads('identity', 'promoted')
  }
  await expect.poll(countPromoted).toBeGreaterThan(0)
  await createUser('after-the-promotion')
  const { keys, age } = await listUsers(anyAge)
  expect(keys).toContain('after-the-promotion')
  expect(age).toBe(null)
  await servers.rejoin()
  await whenReplicaServes()
})
