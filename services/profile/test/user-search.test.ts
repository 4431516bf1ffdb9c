import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderData, UserSearchField } from '#contracts'
import { newIdentifier } from '#runtime'
import { waitFor } from '#testing'
import { at, callsOf, newLink } from './calls.ts'
import { openProfile, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  harness = await openProfile()
  calls = callsOf(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

/** Above those of other test files. */
let sites = 1_100_000_000
const newSite = () => ++sites
type Site = number

const noData: ProviderData = { profile: {}, follow: null, email: [], phone: [] }
const tanaka: ProviderData = {
  ...noData,
  profile: {
    first_name_kanji: '太郎',
    last_name_kanji: '田中',
    first_name_kana: 'タロウ',
    last_name_kana: 'タナカ',
    full_name: 'Tarō Tanaka',
  },
  email: [{ email: 'Taro.Tanaka@Example.com', verified: true }],
  phone: [{ number: '+81 90-1234-5678', verified: true, type: 'mobile' }],
}

const switchOn = async (site: Site, fields: UserSearchField[]) => {
  const { revision } = await harness.profile.readUserSearch({ site }, harness.call())
  await harness.profile.changeUserSearch({ site, fields, expected_revision: revision }, harness.call())
}
const indexed = (site: Site) =>
  waitFor(
    async () => {
      const { indexing } = await harness.profile.readUserSearch({ site }, harness.call())
      expect(indexing).toBeNull()
    },
    { interval: 50 },
  )
const record = async (
  site: Site,
  data: ProviderData,
  link = newLink('messaging'),
  ms = 0,
  identifier = newIdentifier(),
) => {
  await harness.profile.recordProviderData({ site, identifier, ...link, data, obtained_at: at(ms) }, harness.call())
  return { site, identifier, link }
}
const find = (site: Site, q: string) => harness.profile.findUsers({ site, q }, harness.call())
const findIds = async (site: Site, q: string) => (await find(site, q)).users.map(({ identifier }) => identifier)
const countTerms = async (site: Site) =>
  Number((await harness.knex('user_search_terms').where({ site }).count())[0]?.count)
const named = (name: string): ProviderData => ({ ...noData, profile: { full_name: name } })

test('a user is found by e-mail address, phone number and name, however they are written', async () => {
  const site = newSite()
  await switchOn(site, ['email', 'phone_number', 'name'])
  const user = await record(site, tanaka)
  await record(site, named('Hanako Suzuki'))
  // Has the same indexed prefix as the name that is searched.
  await record(site, named('Alexandra'))
  const spellings = [
    'taro.tanaka@example.COM',
    '090-1234-5678',
    '０９０１２３４５６７８',
    '+819012345678',
    '田',
    '田中太',
    '田中　太郎',
    '太郎 田中',
    'たなか',
    'ﾀﾅｶ',
    'タナカタロウ',
    'ta',
    'TANAKA',
    'taro t',
    'tanaka taro',
    'tarotanaka',
  ]
  for (const q of spellings) expect([q, await findIds(site, q)]).toEqual([q, [user.identifier]])
  for (const q of ['t', 'anaka', 'tanaka hanako', 'alexandria', 'tanaka@example.com', '9012', '中'])
    expect([q, await findIds(site, q)]).toEqual([q, []])
  expect(await find(site, 'tanaka')).toEqual({
    users: [
      {
        image_url: null,
        identifier: user.identifier,
        name: '田中 太郎',
        email: 'Taro.Tanaka@Example.com',
        matches: [{ field: 'name', providers: ['messaging'] }],
      },
    ],
    more: false,
    fields: ['email', 'phone_number', 'name'],
    indexing: expect.any(Boolean),
  })
})

test('only what a site switches on is indexed, also of stored profiles, and switching off deletes it', async () => {
  const site = newSite()
  const user = await record(site, tanaka)
  expect(await countTerms(site)).toBe(0)
  expect(await find(site, 'tanaka')).toMatchObject({ users: [], fields: [] })
  await switchOn(site, ['email'])
  await indexed(site)
  expect(await countTerms(site)).toBe(1)
  expect(await findIds(site, 'taro.tanaka@example.com')).toEqual([user.identifier])
  expect(await findIds(site, 'tanaka')).toEqual([])
  await switchOn(site, ['name'])
  await indexed(site)
  expect(await findIds(site, 'tanaka')).toEqual([user.identifier])
  expect(await findIds(site, 'taro.tanaka@example.com')).toEqual([])
  expect(await harness.knex('user_search_keys').where({ site }).pluck('version')).toEqual([2])
  await switchOn(site, [])
  await indexed(site)
  expect(await countTerms(site)).toBe(0)
  expect(await harness.knex('user_search_keys').where({ site })).toEqual([])
})

test('terms follow the profile: changes, merges, unlinking, deletion of the profile and of the user', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  await indexed(site)
  const user = await record(site, named('Tanaka'))
  await record(site, named('Suzuki'), user.link, 1, user.identifier)
  expect([await findIds(site, 'tanaka'), await findIds(site, 'suzuki')]).toEqual([[], [user.identifier]])
  const other = await record(site, named('Sato'), newLink('search'))
  await calls.merge(other, user, [other.link], 2)
  expect(await harness.knex('user_search_terms').where({ site }).distinct().pluck('identifier')).toEqual([
    user.identifier,
  ])
  expect((await findIds(site, 'sato')).length + (await findIds(site, 'suzuki')).length).toBe(1)
  await calls.deleteLinks(user, [other.link], 3)
  expect([await findIds(site, 'sato'), await findIds(site, 'suzuki')]).toEqual([[], [user.identifier]])
  await calls.deleteProfile(user, [user.link])
  expect(await countTerms(site)).toBe(0)
  const deleted = await record(site, named('Ito'))
  await calls.deleteLinks(deleted, [deleted.link], 4, 'delete')
  expect(await countTerms(site)).toBe(0)
})

test('an import writes the terms of its users, also of those who exist', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  await indexed(site)
  const user = await record(site, named('Tanaka'))
  const importName = (identifier: string, link: ReturnType<typeof newLink>, name: string) => {
    const links = [{ ...link, data: named(name), obtained_at: at(5) }]
    const users = [{ identifier, prohibited: false, links }]
    return harness.profile.importProfiles({ site, recorded_at: at(5), replace: true, users }, harness.call())
  }
  const identifier = newIdentifier()
  await importName(identifier, newLink('messaging'), 'Kobayashi')
  await importName(user.identifier, user.link, 'Yoshida')
  expect([await findIds(site, 'kobayashi'), await findIds(site, 'yoshida'), await findIds(site, 'tanaka')]).toEqual([
    [identifier],
    [user.identifier],
    [],
  ])
})

test('after a change of the fields during logins, exactly the terms of the new fields remain', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  const users = await Promise.all(Array.from({ length: 20 }, () => record(site, tanaka)))
  const logins = users.map(async ({ identifier, link }) => {
    for (let n = 1; n <= 5; n++) {
      const email = [{ email: `${identifier.slice(-12)}-${n}@example.com`, verified: true }]
      await record(site, { ...tanaka, email }, link, n, identifier)
    }
  })
  await Promise.all([...logins, switchOn(site, ['email'])])
  await indexed(site)
  expect(await countTerms(site)).toBe(users.length)
  for (const { identifier } of users)
    expect(await findIds(site, `${identifier.slice(-12)}-5@example.com`)).toEqual([identifier])
})

test('the deletion of a site deletes the setting, the key and the terms', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  await record(site, tanaka)
  expect(await countTerms(site)).toBeGreaterThan(0)
  const deleteSite = () => harness.profile.deleteSite({ site }, harness.call())
  await expect.poll(async () => (await deleteSite()).done).toBe(true)
  expect(await countTerms(site)).toBe(0)
  for (const table of ['user_search', 'user_search_keys']) expect(await harness.knex(table).where({ site })).toEqual([])
})

test('the deletion of a site ends only after a row that is changed meanwhile is deleted', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  await indexed(site)
  const { knex, profile, call } = harness
  const rows = (executor = knex) => executor('user_search').where({ site })
  const changing = await knex.transaction()
  await rows(changing).update({ users_indexed: 1 })
  const { pid } = (await changing.raw('select pg_backend_pid() as pid')).rows[0]
  const first = profile.deleteSite({ site }, call())
  const waiting = () => knex.raw('select from pg_stat_activity where ? = any(pg_blocking_pids(pid))', [pid])
  await waitFor(async () => expect((await waiting()).rows).not.toEqual([]))
  await changing.commit()
  let { done } = await first
  while (!done) ({ done } = await profile.deleteSite({ site }, call()))
  expect(await rows()).toEqual([])
})

test('at most 50 users are returned, and it is said that there are more', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  const users = Array.from({ length: 51 }, (_, n) => n)
  for (const n of users) await record(site, named(`Yamada ${n % 2 === 0 ? 'Ichiro' : 'Jiro'} ${n}`))
  const all = await find(site, 'yamada')
  expect([all.users.length, all.more]).toEqual([50, true])
  const some = await find(site, 'yamada jiro')
  expect([some.users.length, some.more]).toEqual([25, false])
})

test('a change by an earlier revision is rejected', async () => {
  const site = newSite()
  await switchOn(site, ['name'])
  const change = harness.profile.changeUserSearch({ site, fields: [], expected_revision: 0 }, harness.call())
  await expect(change).rejects.toMatchObject({ fault: 'changed_meanwhile' })
})
