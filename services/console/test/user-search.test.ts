import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

/** A user with a login at the messaging provider, who has a name and an e-mail address. */
async function createUser(familyName: string, givenName: string, email: string) {
  const { identity, profile, call } = stage.serviceStack
  const { site } = stage.site
  const link = { provider: 'messaging', provider_user_id: randomUUID() } as const
  const { user } = await identity.createUser({ site, links: [link], primary_key: `customer-${randomUUID()}` }, call())
  const { link_id, recorded_at } = await identity.recordLogin({ site, login: randomUUID(), ...link }, call())
  const data: ProviderData = {
    profile: { last_name_kanji: familyName, first_name_kanji: givenName },
    follow: null,
    email: [{ email, verified: true }],
    phone: [],
  }
  const { identifier, primary_key } = user
  await profile.recordProviderData(
    { site, identifier, link_id, provider: 'messaging', data, obtained_at: recorded_at },
    call(),
  )
  return { identifier, primary_key, provider_user_id: link.provider_user_id }
}

const search = async (q: string) => Object((await stage.request('POST', '/users/search', { q })).body)
const isIndexed = () =>
  expect.poll(async () => Object((await stage.request('GET', '/user-search')).body).indexing).toBeNull()

test('users are found by what the site switches on, and searches are recorded without the text', async () => {
  await stage.openNewSite()
  const user = await createUser('田中', '太郎', 'taro@example.com')
  expect(await search('taro@example.com')).toMatchObject({ users: [], fields: [] })
  const off = await stage.request('GET', '/user-search')
  expect(off.body).toEqual({ fields: [], indexing: null, revision: 0 })
  const changed = await stage.request('PUT', '/user-search', { fields: ['name', 'email'] }, 0)
  expect(changed).toMatchObject({ status: 200, body: { fields: ['email', 'name'], revision: 1 } })
  expect(await stage.request('PUT', '/user-search', { fields: [] }, 0)).toMatchObject({ status: 412 })
  await isIndexed()
  const found = {
    identifier: user.identifier,
    primary_key: user.primary_key,
    name: '田中 太郎',
    email: 'taro@example.com',
    providers: ['messaging'],
  }
  expect(await search('TARO@example.com')).toMatchObject({
    users: [{ ...found, matches: [{ field: 'email', providers: ['messaging'] }] }],
    more: false,
    fields: ['email', 'name'],
    indexing: false,
    unavailable: [],
  })
  expect(await search('田中太郎')).toMatchObject({ users: [{ matches: [{ field: 'name' }] }] })
  expect(await search(user.provider_user_id)).toMatchObject({
    users: [{ ...found, matches: [{ field: 'provider_user_id', providers: ['messaging'] }] }],
  })
  expect(await search('090-1234-5678')).toMatchObject({ users: [] })
  const { account } = stage.site
  const audit = await stage.requestAdminApi('GET', `/accounts/${account}/audit?limit=100`)
  const entries = Object(audit.body).entries.filter(({ action }: { action: string }) => action === 'findUsers')
  expect(entries).toHaveLength(5)
  expect(JSON.stringify(audit.body)).not.toMatch(/taro@example|田中|1234/i)
})

test('lists show names and accounts, whose reads are recorded', async () => {
  await stage.openNewSite()
  const user = await createUser('佐藤', '葵', 'aoi@example.com')
  const { identity, call } = stage.serviceStack
  const { user: nameless } = await identity.createUser({ site: stage.site.site, links: [] }, call())
  const unknown = '0'.repeat(40)
  const identifiers = [nameless.identifier, unknown, user.identifier]
  const none = { identifier: nameless.identifier, name: null, email: null, picture: null, providers: [] }
  const summary = { name: '佐藤 葵', email: 'aoi@example.com', picture: null, providers: ['messaging'] }
  const summaries = await stage.request('POST', '/users/summaries', { identifiers })
  expect(summaries.body).toEqual({ users: [none, { identifier: user.identifier, ...summary }], unavailable: [] })
  expect(await stage.request('POST', '/users/summaries', { identifiers: [] })).toMatchObject({ status: 400 })

  const page = await openSitePage('/users')
  const row = page.getByRole('row').filter({ hasText: '佐藤 葵' })
  for (const text of ['aoi@example.com', user.primary_key ?? '']) await row.getByText(text, { exact: true }).waitFor()
  await page.getByRole('link', { name: `${nameless.identifier.slice(0, 16)}…` }).waitFor()
  const { account } = stage.site
  const audit = await stage.requestAdminApi('GET', `/accounts/${account}/audit?limit=100`)
  const reads = Object(audit.body).entries.filter(({ action }: { action: string }) => action === 'summarizeUsers')
  expect(reads.map(({ after }: { after: unknown }) => after)).toContainEqual({ identifiers })
  expect(JSON.stringify(reads)).not.toMatch(/aoi@example|佐藤/)
})

test('an editor switches names on, and finds users on the page', async () => {
  await stage.openNewSite()
  const users = [
    await createUser('鈴木', '花子', 'hanako@example.com'),
    await createUser('鈴木', '次郎', 'jiro@example.com'),
  ]
  const page = await openSitePage('/users')
  await page.getByLabel('Find user').fill('鈴木')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('Users of this site cannot be found by: E-mail address, Phone number, Name.').waitFor()
  await page.getByRole('link', { name: 'Switch on in the settings' }).click()
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Finding users' }) })
  await section.getByLabel('Names').check()
  await section.getByLabel('E-mail addresses').check()
  await section.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => stage.request('GET', '/user-search').then(({ body }) => Object(body).fields)).toHaveLength(2)
  await isIndexed()

  const list = await openSitePage('/users')
  await list.getByLabel('Find user').fill('すずき')
  await list.getByLabel('Find user').press('Enter')
  await list.getByText('No user matches.').waitFor()
  await list.getByLabel('Find user').fill('鈴木')
  await list.getByLabel('Find user').press('Enter')
  const table = list.getByRole('table', { name: 'Users found' })
  for (const text of ['鈴木 花子', 'hanako@example.com', '鈴木 次郎', users[1]?.primary_key ?? ''])
    await table.getByText(text, { exact: true }).waitFor()
  await list.getByText('2 users found').waitFor()
  await list.getByLabel('Find user').fill('hanako@example.com')
  await list.getByLabel('Find user').press('Enter')
  await list
    .locator('[data-copied="Identifier"]')
    .getByText(users[0]?.identifier ?? '')
    .waitFor()
})
