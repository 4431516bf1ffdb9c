import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { userDataKindNames, userDataKinds } from '#contracts'
import { applicationOf } from '../../provider-auth/test/application.ts'
import { logInWith } from '../../provider-auth/test/browser.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

interface Section {
  readonly kind: string
  readonly since: string | null
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

async function readSections(identifier: string): Promise<{ text: string; sections: Map<string, Section> }> {
  const { status, body } = await stage.request('GET', `/users/${identifier}/held-data`)
  expect([status, Reflect.get(Object(body), 'unavailable')]).toEqual([200, []])
  const sections: Section[] = Reflect.get(Object(body), 'sections')
  return { text: JSON.stringify(body), sections: new Map(sections.map((section) => [section.kind, section])) }
}

test('one call returns what all services store about a user, and nothing about others', async () => {
  const { serviceStack, site } = stage
  const { identity, events, call } = serviceStack
  const userName = `held-${randomUUID()}`
  const logInAs = async (user: string) =>
    applicationOf(serviceStack, site).userOf(await logInWith(site, 'messaging', { user }))
  const created = await stage.request('POST', '/webhooks', { name: 'Shop', url: 'https://shop.example/events' })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const identifier = await logInAs(userName)
  const other = await logInAs(`other-${randomUUID()}`)
  const key = { site: site.site, identifier }
  await identity.changeMetadata({ ...key, user_metadata: { size: 'M' }, replace: false }, call())
  const answers = [{ document: 'terms', version: 2, accepted: true }]
  await identity.recordConsents({ ...key, answers }, call())
  await identity.requestUserDeletion({ ...key, waiting_days: 14 }, call())
  await stage.request('GET', `/users/${identifier}`)
  await expect
    .poll(async () => (await events.listDeliveriesOfUser({ ...key, limit: 10 }, call())).deliveries.length)
    .toBeGreaterThan(0)
  await expect
    .poll(async () => (await readSections(identifier)).sections.get('login_log')?.records)
    .toMatchObject([{ result: 'completed' }])
  const listTypes = async () => (await readSections(identifier)).sections.get('events')?.records.map(({ type }) => type)
  await expect.poll(listTypes).toContain('user.deletion_requested')

  const { text, sections } = await readSections(identifier)
  expect([...sections.keys()]).toEqual(userDataKindNames)
  for (const kind of userDataKindNames) expect(sections.get(kind)?.records.length, kind).toBeGreaterThan(0)
  const first = (kind: string) => sections.get(kind)?.records[0]
  expect(first('user')).toMatchObject({ identifier, login_count: 1 })
  expect(first('linked_accounts')).toMatchObject({ provider: 'messaging' })
  expect(first('metadata')).toMatchObject({ user_metadata: { size: 'M' } })
  expect(first('consents')).toMatchObject({ document: 'terms', accepted: true })
  expect(first('deletion')).toMatchObject({ cause: 'user_request' })
  for (const kind of ['profile', 'provider_data']) expect(JSON.stringify(first(kind)), kind).toContain(userName)
  expect(first('credentials')).toMatchObject({ provider: 'messaging', state: 'valid' })
  expect(first('sessions')).toMatchObject({ provider: 'messaging', started_at: expect.any(String) })
  expect(first('webhook_deliveries')).toMatchObject({ endpoint: 'Shop' })
  const types = sections.get('events')?.records.map(({ type }) => type)
  expect(types?.filter((type) => type === 'user.created')).toHaveLength(1)
  expect(sections.get('audit')?.records.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['readUser', 'readHeldData']),
  )
  expect(sections.get('consents')?.since).toBe(first('consents')?.answered_at)
  expect(sections.get('logins')?.since).toBe(first('logins')?.logged_in_at)
  expect(text).not.toContain(other)
  expect(text).not.toMatch(/access_token|refresh_token|link_id/)
  expect((await stage.request('GET', `/users/${'0'.repeat(40)}/held-data`)).status).toBe(404)
})

test('the page of a user leads to a page to print with each kind of data, and its JSON', async () => {
  const { identity, call } = stage.serviceStack
  const { user } = await identity.createUser({ site: stage.site.site, links: [], primary_key: randomUUID() }, call())
  const page = await openSitePage(`/users/${user.identifier}`)
  await page.getByRole('link', { name: 'Show everything held' }).click()
  await page.getByRole('heading', { name: 'Everything held about a user' }).waitFor()
  await page
    .getByRole('table', { name: 'User' })
    .getByText(user.primary_key ?? '')
    .waitFor()
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
  expect(headings).toHaveLength(userDataKindNames.length)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ])
  const file: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'))
  expect(file).toMatchObject({ identifier: user.identifier, unavailable: [] })
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  expect(await page.getByRole('table', { name: 'User' }).isVisible()).toBe(true)
})

test('the page says in English what the response says', () => {
  const texts: unknown = JSON.parse(readFileSync('services/console/web/texts/en/held-data.json', 'utf8'))
  for (const kind of userDataKindNames) {
    const { holds, kept } = userDataKinds[kind]
    expect(Reflect.get(Reflect.get(Object(texts), 'kinds'), kind)).toMatchObject({ holds, kept })
  }
})

test('support reads which applications received data of a user, and what happened, also on the page', async () => {
  const { serviceStack, site } = stage
  const callback = await logInWith(site, 'messaging', {
    user: `helped-${randomUUID()}`,
    parameters: { scope: 'openid email' },
  })
  const identifier = await applicationOf(serviceStack, site).userOf(callback)
  const applications = await stage.request('GET', `/users/${identifier}/applications`)
  expect(applications).toMatchObject({
    status: 200,
    body: {
      applications: [{ client_id: site.client.client_id, received: ['openid', 'email'], access_removed_at: null }],
    },
  })
  const listTypes = async () => {
    const { body } = await stage.request('GET', `/users/${identifier}/events`)
    return z
      .object({ events: z.array(z.object({ type: z.string() })) })
      .parse(body)
      .events.map(({ type }) => type)
  }
  await expect.poll(listTypes).toEqual(expect.arrayContaining(['user.created', 'user.logged_in']))
  const { body } = await stage.request('GET', `/users/${identifier}/events?limit=1`)
  expect(Reflect.get(Object(body), 'events')).toHaveLength(1)
  for (const part of ['applications', 'events'])
    expect((await stage.request('GET', `/users/${'0'.repeat(40)}/${part}`)).status).toBe(404)

  const page = await openSitePage(`/users/${identifier}`)
  const tableNamed = (name: string) => page.getByRole('table', { name })
  await tableNamed('Applications').getByText('email', { exact: true }).waitFor()
  await tableNamed('Activity').getByText('User created').waitFor()
})
