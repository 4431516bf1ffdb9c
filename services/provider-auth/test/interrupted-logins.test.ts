import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openForTest, readLinkData, runsAsOneProcess } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  getLocation,
  logInWith,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
} from './browser.ts'
import { createLinkSteps, failedParameters } from './link-steps.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createOwnSiteFixture()
let database: ReturnType<typeof openForTest>
beforeAll(() => {
  database = openForTest(serviceStack.database_urls.provider_auth)
  return () => database[Symbol.asyncDispose]()
})

const { newAccount, newUser, addressFor, link, read, linksOf } = createLinkSteps(() => ({ serviceStack, site }))
const call = () => serviceStack.call()

/** Runs requests while provider-auth cannot store credentials, as if it was cut off after identity had answered. */
async function withoutCredentials<T>(work: () => Promise<T>): Promise<T> {
  await database.knex.schema.renameTable('credentials', 'credentials_away')
  try {
    return await work()
  } finally {
    await database.knex.schema.renameTable('credentials_away', 'credentials')
  }
}

/** The jobs of interrupted logins. */
const listJobs = (): Promise<{ payload: string }[]> =>
  database.knex('jobs').where({ task: 'complete_login' }).select(database.knex.raw('payload::text as payload'))

/** Lets jobs run without waiting for the requests that enqueued them. */
const endHeadStart = () => database.knex('jobs').update({ run_at: database.knex.fn.now() })

/** The users of the site, and how often each has logged in. */
async function readLogins(): Promise<ReadonlyMap<string, number>> {
  await using identity = openForTest(serviceStack.database_urls.identity)
  const users = await identity.knex('users').where({ site: site.site }).select('identifier', 'login_count')
  return new Map(users.map(({ identifier, login_count }) => [identifier, login_count]))
}

/** The only user of the site who has logged in since then. */
async function findUserSince(before: ReadonlyMap<string, number>) {
  const users = [...(await readLogins())].filter(([identifier, count]) => count > (before.get(identifier) ?? 0))
  expect(users).toHaveLength(1)
  const [[identifier, loginCount] = ['', 0]] = users
  return { identifier, login_count: loginCount }
}

/** What the services store about a user, apart from its links. */
async function readStored(identifier: string) {
  const user = { site: site.site, identifier }
  const [{ credentials }, { profile }] = await Promise.all([
    readLinkData(serviceStack, user),
    serviceStack.profile.readProfile(user, call()),
  ])
  return { credentials: Object.keys(credentials).sort(), name: profile.full_name }
}

test('a login that was counted but not persisted is completed, once', async () => {
  const before = await readLogins()
  const callback = await withoutCredentials(() => logInWith(site, 'search', { user: 'Half Done' }))
  expect(callback.searchParams.get('error')).toBe('server_error')
  const { identifier } = await findUserSince(before)
  const [job] = await listJobs()
  expect(job?.payload).not.toMatch(new RegExp(`Half|Done|example|${identifier}`))
  await expect.poll(() => readStored(identifier)).toEqual({ credentials: ['search'], name: 'Half Done' })
  expect(await findUserSince(before)).toMatchObject({ identifier, login_count: 1 })
  await expect.poll(listJobs).toEqual([])
})

test('a link whose credential was not stored is completed', async () => {
  const identifier = await newUser()
  const address = await addressFor(identifier)
  const account = { user: `Linked ${randomUUID()}` }
  expect(await withoutCredentials(() => link(address, account))).toEqual(failedParameters('server_error'))
  expect(await linksOf(identifier)).toEqual(['messaging', 'search'])
  await endHeadStart()
  await expect.poll(async () => (await readStored(identifier)).credentials).toEqual(['messaging', 'search'])
  // A job stays for a moment after its work, and the next test counts jobs.
  await expect.poll(listJobs).toEqual([])
})

// Identity is unavailable without NATS only if it runs in another process.
test.skipIf(runsAsOneProcess)(
  'a login while identity is unavailable is completed when identity is available',
  async () => {
    const before = await readLogins()
    const browser = openTestBrowser()
    const atProvider = getLocation(await browser.open(buildAuthorizeUrl(site, 'messaging')))
    const callback = await submitProviderSignIn(browser, atProvider, { user: 'Patient Person' })
    await serviceStack.nats.stop()
    const response = await browser.open(callback)
    expect(new URL(getLocation(response)).searchParams.get('error')).toBe('server_error')
    expect(await listJobs()).toHaveLength(1)
    await serviceStack.nats.start()
    await endHeadStart()
    await expect.poll(listJobs).toEqual([])
    const { identifier } = await findUserSince(before)
    expect(await readStored(identifier)).toMatchObject({ credentials: ['messaging'] })
  },
)

test.skipIf(runsAsOneProcess)(
  'a login only by an unknown person while identity is unavailable creates no user later, and leaves no valid token',
  async () => {
    const before = await readLogins()
    const browser = openTestBrowser()
    const address = buildAuthenticateUrl(serviceStack, site, 'search').replace('/authenticate?', '/authenticate/login?')
    const atProvider = getLocation(await browser.open(address))
    const callback = await submitProviderSignIn(browser, atProvider, { user: `Unknown ${randomUUID()}` })
    const revoked = await countRevoked()
    await serviceStack.nats.stop()
    expect(read(await browser.open(callback))).toEqual(failedParameters('server_error'))
    expect(await listJobs()).toHaveLength(1)
    await serviceStack.nats.start()
    await endHeadStart()
    await expect.poll(listJobs).toEqual([])
    expect(await readLogins()).toEqual(before)
    await expect.poll(countRevoked).toBe(revoked + 1)
  },
)

test('a login that is completed late does not replace the tokens of a newer login', async () => {
  const before = await readLogins()
  const login = () => logInWith(site, 'search', { user: 'Impatient Person' })
  const browser = openTestBrowser()
  const atProvider = getLocation(await browser.open(buildAuthorizeUrl(site, 'search')))
  const callback = await submitProviderSignIn(browser, atProvider, { user: 'Impatient Person' })
  await serviceStack.nats.stop()
  await browser.open(callback)
  await serviceStack.nats.start()
  await expect.poll(async () => (await login()).searchParams.has('code')).toBe(true)
  const { identifier } = await findUserSince(before)
  const readToken = async () =>
    (await readLinkData(serviceStack, { site: site.site, identifier })).credentials.search?.access_token
  const newer = await readToken()
  await endHeadStart()
  await expect.poll(listJobs).toEqual([])
  expect(await readToken()).toBe(newer)
})

test('a link that identity rejects leaves no job and no valid token at the provider', async () => {
  const identifier = await newUser()
  const browser = openTestBrowser()
  const atProvider = getLocation(await submitLinkDecision(browser, await addressFor(identifier)))
  const other = { provider: 'search', provider_user_id: `other-${randomUUID()}` } as const
  await serviceStack.identity.linkAccount({ site: site.site, identifier, ...other }, call())
  const revoked = await countRevoked()
  const callback = await submitProviderSignIn(browser, atProvider, newAccount())
  expect(read(await browser.open(callback))).toEqual(failedParameters('already_linked'))
  expect(await listJobs()).toEqual([])
  await expect.poll(countRevoked).toBe(revoked + 1)
})

/** How many consents provider-auth revoked at providers. */
async function countRevoked(): Promise<number> {
  const [running] = serviceStack.services.provider_auth
  const metrics = await (await fetch(`http://localhost:${running?.operations_port}/metrics`)).text()
  const counts = metrics.matchAll(/^sociallogin_provider_revocations_total\{.*outcome="revoked".*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
