import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { connectBus, createClient } from '#bus'
import { consoleContract, type EndUserAction } from '#contracts'
import { createLogger } from '#runtime'
import { waitFor } from '#testing'
import { createAccountSteps, newUserName } from '../../provider-auth/test/account-steps.ts'
import { applicationOf } from '../../provider-auth/test/application.ts'
import { logInWith, submitProviderSignIn, type TestBrowser } from '../../provider-auth/test/browser.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createSeparateUsageFixture } from './usage-fixture.ts'

const stage = createSeparateUsageFixture()
const openSitePage = createSitePageOpener(stage)
const steps = createAccountSteps(() => stage)

async function turnOnAccountPage(): Promise<void> {
  const { provider_auth, call } = stage.serviceStack
  const { site, account, site_id } = stage.site
  const { revision } = await provider_auth.readAccountPage({ site, account, site_id }, call())
  const settings = { enabled: true, deletion_waiting_days: 14, expected_revision: revision }
  await provider_auth.changeAccountPage({ site, account, site_id, ...settings }, call())
}

/** A user who is logged in to the account page. */
async function newMember() {
  await turnOnAccountPage()
  const name = newUserName()
  const callback = await logInWith(stage.site, 'search', { user: name })
  const identifier = await applicationOf(stage.serviceStack, stage.site).userOf(callback)
  const browser = steps.newBrowser()
  await steps.logIn(browser, name)
  return { name, identifier, browser }
}

async function submit(browser: TestBrowser, path: string, parameters: Readonly<Record<string, string>> = {}) {
  const { status } = await steps.post(browser, await steps.read(browser, path, parameters), path)
  expect(status).toBeLessThan(400)
}

async function listEntries(query: Readonly<Record<string, string>>) {
  const { account, site_id } = stage.site
  const parameters = new URLSearchParams({ site_id, ...query })
  const { body } = await stage.requestAdminApi('GET', `/accounts/${account}/audit?${parameters}`)
  return adminApi.listAudit.output.parse(body).entries
}

/** The actions of an end user, the earliest first, once there are `count`. */
const actionsOf = (identifier: string, count: number) =>
  waitFor(
    async () => {
      const entries = (await listEntries({ identifier, actor_kind: 'end_user' })).toReversed()
      expect(entries.map(({ action }) => action)).toHaveLength(count)
      return entries.toSorted((one, other) => one.at.localeCompare(other.at))
    },
    { interval: 200 },
  )

test('what end users do on the account page is in the audit trail of the site once, without personal data', async () => {
  const { name, identifier, browser } = await newMember()
  const other = steps.newBrowser()
  await steps.logIn(other, name)

  const add = await steps.read(browser, '/add')
  const started = await steps.post(browser, add, '/add', { provider: 'messaging' })
  const added = newUserName()
  await browser.open(await submitProviderSignIn(browser, started.headers.get('location') ?? '', { user: added }))
  const remove = await steps.read(browser, '/remove', { provider: 'messaging' })
  for (const _ of ['once', 'again']) await steps.post(browser, remove, '/remove')
  await submit(browser, '/end-others')
  await submit(browser, '/download')
  await submit(browser, '/delete')
  await submit(browser, '/delete')
  await steps.post(browser, await steps.read(browser), '/keep')
  await steps.post(browser, await steps.read(browser), '/keep')

  const entries = await actionsOf(identifier, 6)
  const details = Object.fromEntries(entries.map(({ action, after }) => [action, after]))
  expect(details).toEqual({
    linkOwnAccount: { identifier, provider: 'messaging' },
    unlinkOwnAccount: { identifier, provider: 'messaging' },
    endOwnSessions: { identifier, sessions: expect.any(Number) },
    downloadOwnData: { identifier },
    requestOwnDeletion: { identifier, delete_at: expect.any(String) },
    cancelOwnDeletion: { identifier },
  })
  const { account, site_id } = stage.site
  for (const entry of entries) {
    const ofEndUser = { actor: 'end user', actor_kind: 'end_user', member_id: null, token_id: null, address: null }
    expect(entry).toMatchObject({ ...ofEndUser, account, site_id, outcome: 'succeeded', before: null })
  }
  const text = JSON.stringify(entries)
  for (const secret of [name, added, '127.0.0.1']) expect(text).not.toContain(secret)
  for (const actorKind of ['member', 'token', 'system'])
    expect(await listEntries({ identifier, actor_kind: actorKind })).toEqual([])
})

test('answers to documents and removed access are in the audit trail; what the servers of the site do is not', async () => {
  await turnOnAccountPage()
  const { site, site_id, account, client } = stage.site
  const { identity, call } = stage.serviceStack
  const name = newUserName()
  const browser = steps.newBrowser()
  const callback = await logInWith(stage.site, 'search', { browser, user: name })
  const identifier = await applicationOf(stage.serviceStack, stage.site).userOf(callback)
  const answers = (version: number) => [{ document: 'terms', version, accepted: true }]
  const user = { site, identifier }
  await identity.recordConsents({ ...user, answers: answers(1), by_end_user: true }, call())
  await identity.recordConsents({ ...user, answers: answers(1), by_end_user: true }, call())
  await identity.recordConsents({ ...user, answers: answers(2) }, call())
  await identity.linkAccount({ ...user, provider: 'messaging', provider_user_id: newUserName() }, call())
  await identity.unlinkProviders({ ...user, providers: ['messaging'], nowarn: false, nomerge: false }, call())
  await identity.requestUserDeletion({ ...user, waiting_days: 3 }, call())
  await identity.cancelUserDeletion(user, call())
  await submit(browser, '/application', { client_id: client.client_id })

  const entries = await actionsOf(identifier, 4)
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'answerDocuments',
    'linkOwnAccount',
    'removeOwnAccess',
    'requestOwnDeletion',
  ])
  expect(entries.find(({ action }) => action === 'answerDocuments')?.after).toEqual({ identifier, answers: answers(1) })

  const deleted = await stage.requestAdminApi('DELETE', `/accounts/${account}/sites/${site_id}/users/${identifier}`)
  expect(deleted.status).toBe(200)
  expect(await actionsOf(identifier, 4)).toEqual(entries)
})

test('an action while the console is unavailable succeeds, and is in the audit trail afterwards', async () => {
  const { identifier, browser } = await newMember()
  {
    await using _ = await stage.serviceStack.stopService('console')
    await submit(browser, '/delete')
    expect(await steps.read(browser)).toContain('Keep')
  }
  expect(await actionsOf(identifier, 1)).toMatchObject([{ action: 'requestOwnDeletion' }])
})

test('a repeated report is one entry, even if both arrive at the same time', async () => {
  const { serviceStack, site } = stage
  await using bus = await connectBus(serviceStack.nats.url, { name: 'test', logger: createLogger('test', 'silent') })
  const { recordEndUserAction } = createClient(bus, consoleContract, new Registry())
  const identifier = randomUUID()
  const report: EndUserAction = {
    action_id: randomUUID(),
    action: 'downloadOwnData',
    at: '2026-05-12T03:21:45.123Z',
    account: site.account,
    site_id: site.site_id,
    identifier,
    details: {},
    request_id: randomUUID(),
  }
  await Promise.all(Array.from({ length: 8 }, () => recordEndUserAction(report, serviceStack.call())))
  await recordEndUserAction(report, serviceStack.call())
  expect(await actionsOf(identifier, 1)).toMatchObject([
    { at: '2026-05-12T03:21:45Z', action: 'downloadOwnData', request_id: report.request_id },
  ])
})

test('the page of the audit trail shows the actions of end users, in both languages, and leads to the user', async () => {
  const { identifier, browser } = await newMember()
  await submit(browser, '/download')
  await actionsOf(identifier, 1)
  const page = await openSitePage(`/audit?actor_kind=end_user&identifier=${identifier}`)
  const row = page.getByRole('row').filter({ hasText: 'Data downloaded by the end user' })
  expect(await row.getByRole('link', { name: 'End user' }).getAttribute('href')).toContain(`/users/${identifier}`)
  await row.getByRole('button', { name: 'Data downloaded by the end user' }).click()
  await page.getByRole('dialog').getByText(identifier).waitFor()
  const japanese = await openSitePage(`/audit?actor_kind=end_user&identifier=${identifier}`, { locale: 'ja-JP' })
  await japanese.getByRole('link', { name: 'エンドユーザー', exact: true }).waitFor()
  await japanese.getByRole('button', { name: 'エンドユーザーによるデータのダウンロード' }).waitFor()
})
