import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { ConflictRule, UserRecord } from '#contracts'
import { openForTest, seedSite } from '#testing'
import { createOwnSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createOwnSiteFixture()

const call = () => serviceStack.call()

type WrittenRecord = z.input<typeof UserRecord>

const importUsers = async (users: WrittenRecord[], conflict: ConflictRule = 'fail', command: string = randomUUID()) => {
  const { outcomes } = await serviceStack.provider_auth.importRecords(
    { site: site.site, conflict, users, command },
    call(),
  )
  return outcomes
}
const resolve = (identifier: string) => serviceStack.identity.resolveUser({ site: site.site, identifier }, call())

/** What all services store of a user. */
async function readAll(identifier: string) {
  const { user, links } = await resolve(identifier)
  const linkIds = links.map(({ link_id }) => link_id)
  const [{ credentials }, profile, statuses] = await Promise.all([
    serviceStack.provider_auth.readCredentials({ site: site.site, link_ids: linkIds }, call()),
    serviceStack.profile.readProfile({ site: site.site, identifier }, call()),
    Promise.all(
      linkIds.map((linkId) => serviceStack.friendship.readStatus({ site: site.site, link_id: linkId }, call())),
    ),
  ])
  return { user, links, credentials, profile, statuses }
}

/** A user with everything that a record can have. */
function wholeRecord(): WrittenRecord & { identifier: string } {
  const identifier = `old-${randomUUID().slice(0, 30)}`
  return {
    identifier,
    primary_key: `member-${identifier}`,
    mapped_at: '2019-05-01T00:00:00Z',
    created_at: '2018-03-04T05:06:07Z',
    last_logged_in_at: '2024-01-02T03:04:05Z',
    last_logged_in_provider: 'messaging',
    login_count: 41,
    profile_update_count: 7,
    profile_updated_at: '2024-01-02T03:04:05Z',
    links: [
      {
        provider: 'messaging',
        provider_user_id: `U${identifier}`,
        created_at: '2018-03-04T05:06:07Z',
        credential: { access_token: 'at', refresh_token: 'rt', expires_at: '2099-01-01T00:00:00Z' },
        data: {
          profile: { full_name: '山田 太郎' },
          email: [{ email: 'taro@example.com', verified: true }],
          obtained_at: '2024-01-02T03:04:05Z',
        },
        friendship_status: true,
        friendship_status_updated_at: '2023-01-01T00:00:00Z',
      },
      { provider: 'search', provider_user_id: `G${identifier}` },
    ],
  }
}

test('a user keeps identifier, times, accounts, tokens, profile and friend status', async () => {
  const record = wholeRecord()
  expect(await importUsers([record])).toEqual([{ outcome: 'created' }])
  const { user, links, credentials, profile, statuses } = await readAll(record.identifier)
  expect(user).toEqual({
    identifier: record.identifier,
    primary_key: record.primary_key,
    mapped_at: '2019-05-01T00:00:00Z',
    created_at: '2018-03-04T05:06:07Z',
    last_logged_in_at: '2024-01-02T03:04:05Z',
    last_logged_in_provider: 'messaging',
    login_count: 41,
  })
  expect(links).toMatchObject([
    { provider: 'messaging', created_at: '2018-03-04T05:06:07Z' },
    { provider: 'search', created_at: '2018-03-04T05:06:07Z' },
  ])
  expect(Object.values(credentials)).toMatchObject([{ access_token: 'at', refresh_token: 'rt' }])
  expect(profile).toMatchObject({
    profile: { full_name: '山田 太郎', update_count: 7, last_updated_at: '2024-01-02T03:04:05Z' },
    email: [{ email: 'taro@example.com', media_id: 'messaging' }],
    profile_prohibited: false,
  })
  expect(statuses[0]).toEqual({ friendship_status: true, friendship_status_updated_at: '2023-01-01T00:00:00Z' })
})

test('tokens and personal data are encrypted where they wait for other services', async () => {
  await using database = openForTest(serviceStack.database_urls.provider_auth)
  const record = wholeRecord()
  await database.knex.schema.renameTable('credentials', 'credentials_away')
  try {
    await expect(importUsers([record])).rejects.toThrow()
  } finally {
    await database.knex.schema.renameTable('credentials_away', 'credentials')
  }
  const jobs = () => database.knex('jobs').where({ task: 'complete_import' }).select('key', 'payload')
  expect(JSON.stringify(await jobs())).not.toMatch(/taro|山田|"at"|member-/)
  // The job completes what the interrupted batch began.
  await database.knex('jobs').update({ run_at: database.knex.fn.now() })
  await expect.poll(jobs).toEqual([])
  // The message to the profile service follows.
  await expect.poll(async () => (await readAll(record.identifier)).profile.profile.full_name).toBe('山田 太郎')
  expect(Object.values((await readAll(record.identifier)).credentials)).toMatchObject([{ access_token: 'at' }])
})

test('a repeat of a batch has the same outcomes and no further effect', async () => {
  const record = wholeRecord()
  const command = randomUUID()
  const batch = [record, { primary_key: record.primary_key ?? '' }, {}]
  const first = await importUsers(batch, 'fail', command)
  expect(first).toEqual([
    { outcome: 'created' },
    { outcome: 'rejected', reason: 'user_exists' },
    { outcome: 'created' },
  ])
  const before = await readAll(record.identifier)
  const { total } = await serviceStack.identity.listUsers({ site: site.site, limit: 1 }, call())
  expect(await importUsers(batch, 'fail', command)).toEqual(first)
  expect(await readAll(record.identifier)).toEqual(before)
  expect((await serviceStack.identity.listUsers({ site: site.site, limit: 1 }, call())).total).toBe(total)
})

test('imported users are listed in the order of their creation', async () => {
  const other = await seedSite(serviceStack)
  const users = [2015, 2012, 2019].map((year) => ({
    identifier: `z${9 - (year % 9)}-${year}`,
    created_at: `${year}-01-01T00:00:00Z`,
  }))
  const { site: number } = other
  await serviceStack.provider_auth.importRecords(
    { site: number, conflict: 'fail', users, command: randomUUID() },
    call(),
  )
  const { user } = await serviceStack.identity.createUser({ site: number, links: [] }, call())
  const { identifiers, total } = await serviceStack.identity.listUsers({ site: number, limit: 10 }, call())
  expect(total).toBe(4)
  expect(identifiers).toEqual([users[1]?.identifier, users[0]?.identifier, users[2]?.identifier, user.identifier])
  const since = Date.parse('2014-01-01T00:00:00Z') / 1_000
  const lately = await serviceStack.identity.listUsers({ site: number, limit: 10, created_since: since }, call())
  expect(lately).toMatchObject({ total: 3, identifiers: identifiers.slice(1) })
})

test('fail rejects and skip ignores users who exist by identifier, primary key or account', async () => {
  const record = wholeRecord()
  await importUsers([record])
  const before = await readAll(record.identifier)
  const same: WrittenRecord[] = [
    { identifier: record.identifier },
    { primary_key: record.primary_key ?? '' },
    { links: [{ provider: 'search_legacy', provider_user_id: `G${record.identifier}` }] },
  ]
  const rejected = { outcome: 'rejected', reason: 'user_exists' }
  expect(await importUsers(same, 'fail')).toEqual([rejected, rejected, rejected])
  expect(await importUsers(same, 'skip')).toEqual(same.map(() => ({ outcome: 'skipped' })))
  expect(await readAll(record.identifier)).toEqual(before)
})

test('merge adds to a user what it lacks, and keeps what it has', async () => {
  const identifier = `old-${randomUUID().slice(0, 30)}`
  await importUsers([
    {
      identifier,
      created_at: '2020-01-01T00:00:00Z',
      login_count: 5,
      last_logged_in_at: '2021-01-01T00:00:00Z',
      last_logged_in_provider: 'portal',
      links: [{ provider: 'portal', provider_user_id: `P${identifier}` }],
    },
  ])
  const record = { ...wholeRecord(), identifier }
  expect(await importUsers([record], 'merge')).toEqual([{ outcome: 'merged' }])
  const merged = await readAll(identifier)
  expect(merged.user).toMatchObject({
    primary_key: record.primary_key,
    created_at: '2018-03-04T05:06:07Z',
    last_logged_in_provider: 'messaging',
    login_count: 41,
  })
  expect(merged.links.map(({ provider }) => provider).sort()).toEqual(['messaging', 'portal', 'search'])
  expect(merged.profile.profile.full_name).toBe('山田 太郎')
  // The account is known now, and merging again changes nothing.
  expect(await importUsers([record], 'merge')).toEqual([{ outcome: 'merged' }])
  expect(await readAll(identifier)).toEqual(merged)
})

test.each<[string, WrittenRecord]>([
  ['account_of_provider_linked', { links: [{ provider: 'messaging', provider_user_id: 'another' }] }],
  ['primary_key_differs', { primary_key: 'another-key' }],
])('merge rejects with %s what a user cannot have', async (reason, difference) => {
  const record = wholeRecord()
  await importUsers([record])
  const before = await readAll(record.identifier)
  const outcomes = await importUsers([{ identifier: record.identifier, ...difference }], 'merge')
  expect(outcomes).toEqual([{ outcome: 'rejected', reason }])
  expect(await readAll(record.identifier)).toEqual(before)
})

test('a record that matches several users is rejected by each rule', async () => {
  const [one, other] = [wholeRecord(), wholeRecord()]
  await importUsers([one, other])
  const both = { identifier: one.identifier, primary_key: other.primary_key ?? '' }
  const rejected = [{ outcome: 'rejected', reason: 'matches_several_users' }]
  for (const rule of ['fail', 'skip', 'merge', 'replace'] as const)
    expect(await importUsers([both], rule)).toEqual(rejected)
})

test('replace gives a user exactly the data of the record, and deletes the data of other accounts', async () => {
  const record = wholeRecord()
  await importUsers([record])
  const before = await readAll(record.identifier)
  const replacement: WrittenRecord = {
    identifier: record.identifier,
    created_at: '2022-02-02T00:00:00Z',
    login_count: 3,
    links: [
      {
        provider: 'messaging',
        provider_user_id: `U${record.identifier}`,
        credential: { access_token: 'newer' },
        data: { profile: { full_name: 'Other' } },
      },
    ],
  }
  expect(await importUsers([replacement], 'replace')).toEqual([{ outcome: 'replaced' }])
  const after = await readAll(record.identifier)
  expect(after.user).toMatchObject({ primary_key: null, login_count: 3, created_at: '2022-02-02T00:00:00Z' })
  expect(after.links.map(({ provider }) => provider)).toEqual(['messaging'])
  expect(Object.values(after.credentials)).toMatchObject([{ access_token: 'newer', refresh_token: null }])
  expect(after.profile.profile.full_name).toBe('Other')
  expect(after.profile.email).toEqual([])
  expect(before.links).toHaveLength(2)
})

test('a user who was deleted can be imported again with the identifier', async () => {
  const record = wholeRecord()
  await importUsers([record])
  await serviceStack.identity.deleteUser({ site: site.site, identifier: record.identifier }, call())
  expect(await importUsers([record])).toEqual([{ outcome: 'created' }])
  const { profile, credentials } = await readAll(record.identifier)
  expect(profile.profile.full_name).toBe('山田 太郎')
  expect(Object.values(credentials)).toMatchObject([{ access_token: 'at' }])
})

test('a prohibited profile stays prohibited, and no data of it is stored', async () => {
  const record = { ...wholeRecord(), profile_prohibited: true }
  await importUsers([record])
  const { profile } = await readAll(record.identifier)
  expect(profile).toMatchObject({ profile_prohibited: true, profile: { full_name: null } })
})

test('a user without accounts can be prohibited, and merging a prohibition deletes the profile', async () => {
  const identifier = `old-${randomUUID().slice(0, 30)}`
  await importUsers([{ identifier, profile_prohibited: true }])
  expect((await readAll(identifier)).profile.profile_prohibited).toBe(true)
  const record = wholeRecord()
  await importUsers([record])
  await importUsers([{ identifier: record.identifier, profile_prohibited: true }], 'merge')
  const { profile } = await readAll(record.identifier)
  expect(profile).toMatchObject({ profile_prohibited: true, profile: { full_name: null } })
})

test('a preview has the outcomes of the import, and changes nothing', async () => {
  const record = wholeRecord()
  const users = [record, record].map(({ identifier, primary_key = null }) => ({
    identifier,
    primary_key,
    last_logged_in_at: null,
    last_logged_in_provider: null,
    login_count: 0,
    links: [],
  }))
  const { outcomes } = await serviceStack.identity.previewImport({ site: site.site, conflict: 'fail', users }, call())
  expect(outcomes).toEqual([{ outcome: 'created' }, { outcome: 'rejected', reason: 'user_exists' }])
  await expect(resolve(record.identifier)).rejects.toMatchObject({ fault: 'entity_not_found' })
})

test('logins of an account while it is imported leave one user', async () => {
  const accounts = Array.from({ length: 20 }, () => `U${randomUUID()}`)
  const users = accounts.map((id): WrittenRecord => ({ links: [{ provider: 'messaging', provider_user_id: id }] }))
  const login = (id: string) =>
    serviceStack.identity.recordLogin(
      { site: site.site, login: randomUUID(), provider: 'messaging', provider_user_id: id },
      call(),
    )
  const [outcomes] = await Promise.all([importUsers(users, 'merge'), ...accounts.map(login)])
  expect(outcomes.every(({ outcome }) => outcome === 'created' || outcome === 'merged')).toBe(true)
  for (const id of accounts) {
    const { users: found } = await serviceStack.identity.findUsers({ site: site.site, id }, call())
    expect(found).toHaveLength(1)
    expect(found[0]?.login_count).toBe(1)
  }
})

test('entity_not_found for a site that does not exist, and no job remains', async () => {
  await using database = openForTest(serviceStack.database_urls.provider_auth)
  const unknown = { site: 2 ** 30, conflict: 'fail' as const, users: [{}], command: randomUUID() }
  await expect(serviceStack.provider_auth.importRecords(unknown, call())).rejects.toMatchObject({
    fault: 'entity_not_found',
  })
  expect(await database.knex('jobs').where({ key: `complete_import:${unknown.command}` })).toEqual([])
})
