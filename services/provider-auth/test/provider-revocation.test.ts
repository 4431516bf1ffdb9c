import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openForTest, readLinkData, type SeededSite, type ServiceStack, seedSite, settled, startStack } from '#testing'
import { applicationOf } from './application.ts'
import {
  buildAuthorizeUrl,
  findSelfPostingForm,
  logInWith,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitProviderForm,
  submitProviderSignIn,
} from './browser.ts'

let serviceStack: ServiceStack
let database: ReturnType<typeof openForTest>
let site: SeededSite
beforeAll(async () => {
  serviceStack = await startStack()
  database = openForTest(serviceStack.database_urls.provider_auth)
})
beforeEach(async () => {
  site = await seedSite(serviceStack)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await serviceStack[Symbol.asyncDispose]()
})

const call = () => serviceStack.call()
let userCount = 0

/** Logs in an end user; returns the user and the stored tokens of the provider. */
async function logInNewUser(provider: ProviderName, { name = `Person ${++userCount}`, at = site } = {}) {
  const callback = await logInWith(at, provider, { user: name })
  const identifier = await applicationOf(serviceStack, at).userOf(callback)
  const user = { site: at.site, identifier }
  const { credentials } = await readLinkData(serviceStack, user)
  const { access_token, refresh_token } = credentials[provider] ?? {}
  return { name, user, access_token: access_token ?? '', refresh_token: refresh_token ?? '' }
}

const unlink = (user: { site: number; identifier: string }, provider: ProviderName) =>
  serviceStack.identity.unlinkProviders({ ...user, providers: [provider], nowarn: true, nomerge: false }, call())

const userinfo = { messaging: '/messaging/oauth2/v2.1/userinfo', search: '/search/v1/userinfo' }

/** Whether the provider accepts an access token. */
async function isTokenValid(provider: keyof typeof userinfo, accessToken: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await fetch(serviceStack.simulator + userinfo[provider], { headers })).status === 200
}

/** Number of revocations by outcome, for all providers. */
async function countRevocations(): Promise<Record<string, number>> {
  const [running] = serviceStack.services.provider_auth
  const metrics = await (await fetch(`http://localhost:${running?.operations_port}/metrics`)).text()
  const counts: Record<string, number> = {}
  for (const [, outcome = '', count] of metrics.matchAll(
    /^sociallogin_provider_revocations_total\{.*outcome="(\w+)".*\} (\d+)$/gm,
  ))
    counts[outcome] = (counts[outcome] ?? 0) + Number(count)
  return counts
}

/** Waits for one more revocation with this outcome. */
async function awaitOutcome(outcome: string, before: Record<string, number>): Promise<void> {
  const more = async () => ((await countRevocations())[outcome] ?? 0) - (before[outcome] ?? 0)
  await expect.poll(more).toBeGreaterThan(0)
}

async function readJobs(): Promise<{ key: string; payload: Record<string, string> }[]> {
  return database.knex('jobs').select('key', 'payload').where({ task: 'revoke_at_provider' })
}

/** @returns how many jobs were changed: a running one is not */
const reschedule = (key: string | undefined, seconds: number): Promise<number> =>
  database
    .knex('jobs')
    .where({ key: key ?? '' })
    .whereNull('leased_until')
    .update({ run_at: database.knex.raw('now() + make_interval(secs => ?)', [seconds]) })
const runNow = (key: string | undefined) => reschedule(key, 0)

/** Returns the failed job and prevents its retries. */
async function holdJob() {
  const [job] = await readJobs()
  // A running job cannot be rescheduled yet.
  await expect.poll(() => reschedule(job?.key, 3_600)).toBe(1)
  return job
}

/** Changes the site's settings of the messaging provider. */
const saveSettings = (changes: { client_id?: string; client_secret?: string; enabled?: boolean }, at = site) => {
  const { client_id, client_secret } = at.providers.messaging
  const own = { site: at.site, account: at.account, site_id: at.site_id, provider: 'messaging' } as const
  return serviceStack.provider_auth.saveProviderSettings({ ...own, client_id, client_secret, ...changes }, call())
}

describe.each(['messaging', 'search'] as const)('%s', (provider) => {
  test('dissociate revokes at the provider what the end user granted, and no other grant', async () => {
    const [leaver, stayer] = [await logInNewUser(provider), await logInNewUser(provider)]
    expect(await isTokenValid(provider, leaver.access_token)).toBe(true)
    await unlink(leaver.user, provider)
    await expect.poll(() => isTokenValid(provider, leaver.access_token)).toBe(false)
    expect(await isTokenValid(provider, stayer.access_token)).toBe(true)
  })

  test('delete_user does the same', async () => {
    const { user, access_token } = await logInNewUser(provider)
    await serviceStack.identity.deleteUser(user, call())
    await expect.poll(() => isTokenValid(provider, access_token)).toBe(false)
  })
})

test('messaging: the consent itself is revoked, so the refresh token is invalid, too', async () => {
  const before = await countRevocations()
  const { user, refresh_token } = await logInNewUser('messaging')
  await unlink(user, 'messaging')
  await awaitOutcome('revoked', before)
  const { client_id, client_secret } = site.providers.messaging
  const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
  const endpoint = `${serviceStack.simulator}/messaging/oauth2/v2.1/token`
  expect((await fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(400)
})

test('device: the consent itself is revoked, so the next login is a first consent', async () => {
  const before = await countRevocations()
  const { user, name } = await logInNewUser('device')
  await unlink(user, 'device')
  await awaitOutcome('revoked', before)
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'device'))
  const form = findSelfPostingForm(await (await submitProviderForm(browser, atProvider, { user: name })).text())
  expect(form?.fields.map(([field]) => field)).toContain('user')
})

test('messaging: an expired access token is refreshed first, because the provider requires a valid one', async () => {
  const before = await countRevocations()
  const { user, access_token, refresh_token } = await logInNewUser('messaging')
  const { client_id, client_secret } = site.providers.messaging
  const client = { client_id, client_secret }
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${serviceStack.simulator}/messaging/oauth2/v2.1/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...client, ...form }),
    })
  await post('revoke', { access_token })
  const { links } = await readLinkData(serviceStack, user)
  const linkIds = links.map(({ link_id }) => link_id)
  await database
    .knex('credentials')
    .whereIn('link_id', linkIds)
    .update({ expires_at: new Date(0) })
  await unlink(user, 'messaging')
  await awaitOutcome('revoked', before)
  expect((await post('token', { grant_type: 'refresh_token', refresh_token })).status).toBe(400)
})

test('a consent that was already revoked at the provider is no error', async () => {
  const before = await countRevocations()
  const { user, refresh_token } = await logInNewUser('search')
  await fetch(`${serviceStack.simulator}/search/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: refresh_token }),
  })
  await unlink(user, 'search')
  await awaitOutcome('revoked', before)
})

test('portal, which has no revocation, has no job', async () => {
  const { user } = await logInNewUser('portal')
  await unlink(user, 'portal')
  expect(await readJobs()).toEqual([])
})

test('links that were merged into another user are revoked when that user is deleted, not before', async () => {
  const before = await countRevocations()
  const [source, destination] = [await logInNewUser('messaging'), await logInNewUser('search')]
  const merge = {
    source: { identifier: source.user.identifier },
    destination: { identifier: destination.user.identifier },
    nomerge: false,
  }
  await serviceStack.identity.mergeUsers({ site: site.site, ...merge }, call())
  expect(await readJobs()).toEqual([])
  expect(await isTokenValid('messaging', source.access_token)).toBe(true)
  await serviceStack.identity.deleteUser(destination.user, call())
  await expect.poll(async () => (await countRevocations()).revoked).toBe((before.revoked ?? 0) + 2)
  expect(await isTokenValid('messaging', source.access_token)).toBe(false)
  expect(await isTokenValid('search', destination.access_token)).toBe(false)
})

test('a login that is in progress when the consent is revoked ends in server_error; the next one succeeds', async () => {
  const { name, user } = await logInNewUser('search')
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search'))
  const callback = await submitProviderSignIn(browser, atProvider, { user: name })
  await unlink(user, 'search')
  await settled(serviceStack)
  expect(new URL(await openRedirect(browser, callback)).searchParams.get('error')).toBe('server_error')
  const next = await logInNewUser('search', { name })
  expect(await isTokenValid('search', next.access_token)).toBe(true)
})

test('grants of disabled provider settings are revoked', async () => {
  const { user, access_token } = await logInNewUser('messaging')
  await saveSettings({ enabled: false })
  await unlink(user, 'messaging')
  await expect.poll(() => isTokenValid('messaging', access_token)).toBe(false)
})

test('the consent stays while another site with the same client at the provider has a grant', async () => {
  const other = await seedSite(serviceStack)
  const name = `Person ${++userCount}`
  const here = await logInNewUser('messaging', { name })
  const { client_id, client_secret } = site.providers.messaging
  const there = await logInNewUser('messaging', { name, at: other })
  await saveSettings({ client_id, client_secret }, other)
  const before = await countRevocations()
  await unlink(here.user, 'messaging')
  await awaitOutcome('relinked', before)
  expect(await isTokenValid('messaging', here.access_token)).toBe(true)
  await saveSettings({}, other)
  expect(await isTokenValid('messaging', there.access_token)).toBe(true)
})

describe('a provider that rejects a revocation', () => {
  test('receives it again, with tokens that are stored encrypted; a grant of a later login stays', async () => {
    const before = await countRevocations()
    const { name, user, access_token } = await logInNewUser('messaging')
    await saveSettings({ client_secret: 'wrong' })
    await unlink(user, 'messaging')
    await awaitOutcome('failed', before)
    const job = await holdJob()
    expect(JSON.stringify(job)).not.toContain(access_token)

    await saveSettings({})
    const back = await logInNewUser('messaging', { name })
    await runNow(job?.key)
    await awaitOutcome('relinked', before)
    expect(await isTokenValid('messaging', back.access_token)).toBe(true)
    await expect.poll(readJobs).toEqual([])
  })

  test('completes it when it accepts again', async () => {
    const before = await countRevocations()
    const { user, access_token } = await logInNewUser('messaging')
    await saveSettings({ client_secret: 'wrong' })
    await unlink(user, 'messaging')
    await awaitOutcome('failed', before)
    const job = await holdJob()
    await saveSettings({})
    await runNow(job?.key)
    await expect.poll(() => isTokenValid('messaging', access_token)).toBe(false)
  })

  test('causes the job to end after its last attempt, and the tokens are deleted', async () => {
    const before = await countRevocations()
    const { user } = await logInNewUser('messaging')
    await saveSettings({ client_secret: 'wrong' })
    await unlink(user, 'messaging')
    await awaitOutcome('failed', before)
    const job = await holdJob()
    const inDays = (Date.parse(job?.payload.give_up_at ?? '') - Date.now()) / 86_400_000
    expect(inDays).toBeCloseTo(3, 1)
    const payload = { ...job?.payload, give_up_at: new Date(0).toISOString() }
    await database
      .knex('jobs')
      .where({ key: job?.key ?? '' })
      .update({ payload: JSON.stringify(payload) })
    await runNow(job?.key)
    await awaitOutcome('given_up', before)
    await expect.poll(readJobs).toEqual([])
  })
})
