import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { adminApi, BulkChange } from '#admin-api'
import type { Provider } from '#contracts'
import { waitFor } from '#testing'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const future = '2100-01-01T00:00:00Z'

async function createUser(...providers: readonly Provider[]): Promise<string> {
  const { identity, call } = stage.serviceStack
  const links = providers.map((provider) => ({ provider, provider_user_id: randomUUID() }))
  return (await identity.createUser({ site: stage.site.site, links }, call())).user.identifier
}

/** Creates users one after the other: more at once than identity has connections can fail on a busy machine. */
async function createUsers(count: number): Promise<string[]> {
  const users: string[] = []
  while (users.length < count) users.push(await createUser('messaging'))
  return users
}

async function readUser(identifier: string) {
  const { identity, call } = stage.serviceStack
  return identity.resolveUser({ site: stage.site.site, identifier }, call())
}

async function readMetadata(identifier: string) {
  const { identity, call } = stage.serviceStack
  return identity.readMetadata({ site: stage.site.site, identifier }, call())
}

async function request(input: object): Promise<BulkChange> {
  const { status, body } = await stage.request('POST', '/bulk-changes', input)
  expect(status, JSON.stringify(body)).toBe(200)
  return BulkChange.parse(body)
}

async function read(changeId: string) {
  return adminApi.readBulkChange.output.parse((await stage.request('GET', `/bulk-changes/${changeId}`)).body)
}

/** Waits until a change ends. */
async function waitForEnd({ change_id }: BulkChange) {
  return waitFor(
    async () => {
      const answer = await read(change_id)
      expect(answer.change.ended_at).not.toBeNull()
      return answer
    },
    { interval: 100 },
  )
}

const run = async (input: object) => waitForEnd(await request(input))

test('users that match a filter are blocked once, in several steps, and unblocked', async () => {
  await stage.openNewSite()
  const users = await createUsers(203)
  const [blocked = ''] = users
  const { identity, call } = stage.serviceStack
  const block = { reason: 'earlier', until: null, by: 'Ada', command: randomUUID() }
  await identity.blockUser({ site: stage.site.site, identifier: blocked, ...block }, call())
  const filter = { created_since: '2020-01-01T00:00:00Z', blocked: 'not_blocked_only' }
  expect(await stage.request('POST', '/bulk-changes/preview', filter)).toMatchObject({
    status: 200,
    body: { users: 202, complete: true },
  })
  const { change } = await run({ action: 'block', block_reason: 'Fraud', block_until: future, ...filter })
  expect(change).toMatchObject({ state: 'done', found: 202, changed: 202, unchanged: 0, failed: 0, ...filter })
  expect((await readUser(blocked)).user.block).toMatchObject({ reason: 'earlier' })
  expect((await readUser(users[202] ?? '')).user.block).toMatchObject({ reason: 'Fraud', until: future, by: 'test' })
  const { change: reversed } = await run({ action: 'unblock', blocked: 'blocked_only' })
  expect(reversed).toMatchObject({ found: 203, changed: 203 })
  expect((await readUser(blocked)).user.block).toBeUndefined()
})

test('a user whose last provider would be unlinked is reported, and others are unlinked', async () => {
  await stage.openNewSite()
  const [both, only, neither] = [
    await createUser('messaging', 'search'),
    await createUser('search'),
    await createUser(),
  ]
  const byProvider = await run({ action: 'unlink', unlinked_provider: 'search', provider: 'search' })
  expect(byProvider.change).toMatchObject({ found: 2, changed: 1, failed: 1, unlinked_provider: 'search' })
  expect(byProvider.failures).toEqual([{ identifier: only, reason: 'last_provider' }])
  expect((await readUser(both)).links).toMatchObject([{ provider: 'messaging' }])
  const { change } = await run({
    action: 'unlink',
    unlinked_provider: 'search',
    identifiers: [both, neither, 'f'.repeat(40)],
  })
  expect(change).toMatchObject({ selected: 3, found: 3, changed: 0, unchanged: 3 })
})

test('metadata is patched, sessions end, and users that last logged in long ago are found', async () => {
  await stage.openNewSite()
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const identifier = await createUser('messaging')
  const { links } = await readUser(identifier)
  const account = { provider: 'messaging' as const, provider_user_id: links[0]?.provider_user_id ?? '' }
  await identity.recordLogin({ site, login: randomUUID(), ...account }, call())
  const never = await createUser()
  const app = { user_metadata: { theme: 'dark' }, app_metadata: {}, replace: true, command: randomUUID() }
  await identity.changeMetadata({ site, identifier, ...app }, call())

  const long = { action: 'end_sessions', last_login_until: '2020-01-01T00:00:00Z' }
  expect((await run(long)).change).toMatchObject({ found: 0 })
  expect((await run({ ...long, last_login_until: future })).change).toMatchObject({ found: 1, changed: 1 })
  expect((await readUser(identifier)).user.sessions_ended_at).toBeDefined()
  expect((await readUser(never)).user.sessions_ended_at).toBeUndefined()

  const patched = await run({
    action: 'change_metadata',
    user_metadata: { theme: null },
    app_metadata: { plan: 'pro' },
  })
  expect(patched.change).toMatchObject({ found: 2, changed: 2 })
  expect(await readMetadata(identifier)).toMatchObject({ user_metadata: {}, app_metadata: { plan: 'pro' } })
  const huge = await run({ action: 'change_metadata', app_metadata: { text: 'x'.repeat(8_192) }, identifiers: [never] })
  expect(huge.failures).toEqual([{ identifier: never, reason: 'metadata_too_large' }])
})

test('a deletion waits for a day, in which it can be canceled, unless it is to start earlier', async () => {
  await stage.openNewSite()
  const [kept, gone] = [await createUser('messaging'), await createUser('messaging')]
  const waiting = await request({ action: 'delete', identifiers: [kept] })
  expect(waiting.state).toBe('scheduled')
  expect(Date.parse(waiting.starts_at) - Date.parse(waiting.requested_at)).toBe(86_400_000)
  expect(
    (await run({ action: 'delete', identifiers: [gone], starts_at: '2020-01-01T00:00:00Z' })).change,
  ).toMatchObject({
    state: 'done',
    changed: 1,
  })
  await expect(readUser(gone)).rejects.toMatchObject({ fault: 'entity_not_found' })
  const canceled = await stage.request('DELETE', `/bulk-changes/${waiting.change_id}`)
  expect(canceled).toMatchObject({ status: 200, body: { state: 'canceled', found: 0 } })
  expect(await stage.request('DELETE', `/bulk-changes/${waiting.change_id}`)).toMatchObject({
    body: { state: 'canceled' },
  })
  expect((await readUser(kept)).user.identifier).toBe(kept)
  const { knex, site } = stage
  const entries = await knex('audit_entries').where({ account: site.account, action: 'completeBulkChange' })
  expect(entries).toMatchObject([{ after: { action: 'delete', found: 1, changed: 1, failed: 0 } }])
})

test('a step that a crash interrupts is repeated without another effect, also after the change was canceled', async () => {
  await stage.openNewSite()
  const { knex } = stage
  const users = await createUsers(3)
  const { change } = await run({ action: 'block', block_reason: 'Fraud', block_until: future })
  const { change_id } = change
  const countEvents = async () => {
    const { serviceStack, site } = stage
    const response = await fetch(`${serviceStack.web_api}/events?key=${site.api_key}&types=user.blocked`)
    const { events }: { events: unknown[] } = Object(await response.json())
    return events.length
  }
  await expect.poll(countEvents).toBe(3)
  // As after a crash when all users were changed, and this was not stored.
  const interrupt = (state: string) =>
    knex('bulk_changes')
      .where({ change_id })
      .update({
        state,
        step: JSON.stringify(users),
        parameters: JSON.stringify({ reason: 'Fraud', until: future }),
        changed: 0,
        ended_at: state === 'running' ? null : new Date(),
        next_step_at: new Date(),
      })
  await interrupt('running')
  expect((await waitForEnd(change)).change).toMatchObject({ state: 'done', changed: 3 })
  await interrupt('canceled')
  await expect.poll(async () => (await read(change_id)).change.changed).toBe(3)
  expect(await knex('bulk_changes').where({ change_id }).first()).toMatchObject({
    step: null,
    parameters: {},
    next_step_at: null,
  })
  expect(await countEvents()).toBe(3)
})

test.each([
  ['block_reason', { action: 'delete', block_reason: 'x' }, 'other_action'],
  ['provider', { action: 'unblock', provider: 'search', identifiers: ['u'] }, 'filter_with_identifiers'],
  ['unlinked_provider', { action: 'unlink' }, 'missing'],
  ['user_metadata', { action: 'change_metadata' }, 'missing'],
  ['block_until', { action: 'block', block_until: '2020-01-01T00:00:00Z' }, 'not_in_the_future'],
])('the field %s of %j is rejected', async (field, input, reason) => {
  const { status, body } = await stage.request('POST', '/bulk-changes', input)
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { field, reason } } })
})

test('a site has a limited number of changes that have not ended', async () => {
  await stage.openNewSite()
  const one = { action: 'unblock', starts_at: future }
  const results = await Promise.all(Array.from({ length: 22 }, () => stage.request('POST', '/bulk-changes', one)))
  expect(results.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(results.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: { error: { reason: 'too_many_bulk_changes' } },
  })
})
