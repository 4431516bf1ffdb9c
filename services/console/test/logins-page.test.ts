import { beforeEach, expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createLoginRecords, createReporter, type NewLoginRecord, reportLogins } from './report-logins.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)
const { start, end, failed, loginAt } = createLoginRecords()
const reporter = createReporter(stage)
const report = (records: readonly NewLoginRecord[]) => reportLogins(reporter(), stage.site.site, records, stage)

const ofClient = (clientId: string, provider: string = start.provider) => ({ ...start, client_id: clientId, provider })

beforeEach(() => stage.openNewSite())

test('an administrator finds the login of a time, its cause and the page where it is corrected', async () => {
  const timeline = {
    ...failed,
    provider_ms: 1_200,
    callback_ms: 1_530,
    request_id: '0190e0a5-7c1c-7f3e-9c53-9f4b8a1d2c3e',
  }
  const login = loginAt(0, { end: timeline })
  const early = loginAt(0, { start: { ...start, at: start.at - 3_600_000, provider: 'social' } })
  await report([login, early])
  const page = await openSitePage('/logins')
  await page.getByRole('cell', { name: 'Facebook' }).waitFor()
  const since = await page.evaluate<string>(
    `(() => { const t = new Date(${start.at - 60_000}); t.setMinutes(t.getMinutes() - t.getTimezoneOffset()); return t.toISOString().slice(0, 16) })()`,
  )
  await page.getByLabel('From').fill(since)
  await page.getByRole('cell', { name: 'Facebook' }).waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: 'Google' })
  await row.getByText('The login provider does not accept the client').waitFor()
  await row.getByRole('link').first().click()
  await page.getByText('Compare both with the provider’s console').waitFor()
  const steps = page.getByText('Requests to the login provider')
  await steps.waitFor()
  await page.getByText('after 9.8 sec · took 1.2 sec').waitFor()
  await page.getByRole('row', { name: 'Request ID of the end' }).getByText(timeline.request_id).waitFor()
  await page.getByRole('link', { name: 'Open login provider' }).click()

  await page.getByRole('heading', { level: 1, name: 'Google' }).waitFor()
})

test('a hundred equal rejections are one row with their number, which leads to them', async () => {
  const rejected = { ...end, result: 'rejected', reason: 'user_mismatch' } as const
  const many = Array.from({ length: 100 }, (_, second) => loginAt(-second, { end: rejected }))
  await report([...many, loginAt(0, { start: ofClient('other', 'social') })])
  const page = await openSitePage('/logins?view=groups')
  const row = page.getByRole('row', { name: 'Another user logged in' })
  await row.getByRole('link', { name: '100' }).click()
  await page.getByRole('button', { name: 'Next' }).waitFor()
  expect(await page.getByRole('row', { name: 'Another user logged in' }).count()).toBe(50)
  expect(await page.getByRole('cell', { name: 'Facebook' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Previous' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove the cause' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('cell', { name: 'Facebook' }).waitFor()
})

test('logins appear while the page is open, the newest first; a filter hides others', async () => {
  await report([loginAt(0, { start: ofClient('before') })])
  const page = await openSitePage('/logins?view=live&provider=social')
  const whole = await openSitePage('/logins?view=live')
  for (const one of [page, whole]) {
    await one.waitForResponse((response) => response.url().includes('after=') && !response.url().includes('newest'))
    await one.getByText('Waiting for logins').waitFor()
  }
  await report([loginAt(0, { start: ofClient('one', 'social') })])
  await page.getByRole('cell', { name: 'one' }).waitFor()
  await report([loginAt(0, { start: ofClient('two') })])
  await whole.getByRole('cell', { name: 'two' }).waitFor()
  const clients = await whole.getByRole('cell', { name: /^(before|one|two)$/ }).allInnerTexts()
  expect(clients).toEqual(['two', 'one'])
  expect(await page.getByRole('cell', { name: 'two' }).count()).toBe(0)
})

test('a login at the provider is shown as such until it ends', async () => {
  const waiting = loginAt(0, { end: null })
  await report([waiting])
  const page = await openSitePage(`/logins/${waiting.login_id}`)
  await page.getByText('At the provider').waitFor()
  await report([{ ...waiting, end }])
  await page.getByText('Completed').waitFor()
})

test('the overview and the page of a client name the causes of logins that did not succeed', async () => {
  const { body } = await stage.request('GET', '/clients')
  const [{ client_id } = { client_id: '' }] = Reflect.get(Object(body), 'clients')
  await report([1, 2].map((second) => loginAt(second, { start: ofClient(client_id), end: failed })))
  const overview = await openSitePage('')
  await overview.getByText('2 logins of the last day did not succeed: The login provider does not accept').waitFor()
  await overview.getByRole('link', { name: 'Show the newest' }).click()
  await overview.getByRole('heading', { level: 1, name: 'Login of' }).waitFor()
  const page = await openSitePage(`/clients/${client_id}`)
  await page.getByRole('row', { name: 'The login provider does not accept' }).getByRole('link', { name: '2' }).waitFor()
})

test('an empty log says so, in Japanese as well', async () => {
  const page = await openSitePage('/logins', { locale: 'ja' })
  await page.getByText('過去数日間のログインはありません。').waitFor()
  await page.getByLabel('結果').selectOption('failed')
  await page.getByText('条件に一致するログインはありません。').waitFor()
})
