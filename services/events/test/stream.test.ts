import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectNumbered, openStream } from './harness.ts'

test('the changes of a user are events in their order, with the IDs of the user after each', async () => {
  const { stack, site, readUntil } = await openStream()
  const { identity, call } = stack
  const account = { provider: 'messaging' as const, provider_user_id: randomUUID() }
  const { user } = await identity.recordLogin({ site, login: randomUUID(), ...account }, call())
  const { identifier, created_at } = user
  const primaryKey = randomUUID()
  const searchAccount = { provider: 'search' as const, provider_user_id: randomUUID() }
  await identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: false }, call())
  await identity.linkAccount({ site, identifier, ...searchAccount }, call())
  const providers = ['search' as const]
  await identity.unlinkProviders({ site, identifier, providers, nowarn: false, nomerge: true }, call())
  await identity.unmapPrimaryKey({ site, identifier }, call())

  const events = await readUntil('user.unmapped')
  expectNumbered(events)
  const [unmapped, mapped] = [
    { identifier, primary_key: null },
    { identifier, primary_key: primaryKey },
  ]
  expect(events.map(({ type, user, data }) => ({ type, user, data }))).toEqual([
    { type: 'user.created', user: unmapped, data: { created_by: 'login', created_at, providers: ['messaging'] } },
    { type: 'user.logged_in', user: unmapped, data: { provider: 'messaging', login_count: 1 } },
    { type: 'user.mapped', user: mapped, data: { primary_key: primaryKey, previous_primary_key: null } },
    { type: 'user.linked', user: mapped, data: { provider: 'search' } },
    { type: 'user.unlinked', user: mapped, data: { provider: 'search' } },
    { type: 'user.unmapped', user: unmapped, data: { previous_primary_key: primaryKey } },
  ])
})

test('the events of a deleted user lose their personal data, and user.deleted keeps the IDs', async () => {
  const { stack, site, readUntil } = await openStream()
  const { identity, call } = stack
  const primaryKey = randomUUID()
  const { user } = await identity.createUser({ site, primary_key: primaryKey, links: [] }, call())
  const { identifier } = user
  await identity.deleteUser({ site, identifier }, call())

  const erased = { user: { identifier, primary_key: null }, data: null }
  expect((await readUntil('user.deleted')).map(({ type, user, data }) => ({ type, user, data }))).toEqual([
    { type: 'user.created', ...erased },
    { type: 'user.deleted', user: { identifier, primary_key: primaryKey }, data: {} },
  ])
})

test('user.merged names both users, ends the events of the removed one and erases its data', async () => {
  const { stack, site, readUntil } = await openStream()
  const { identity, call } = stack
  const create = async (provider: 'messaging' | 'search', key?: string) => {
    const links = [{ provider, provider_user_id: randomUUID() }]
    const { user } = await identity.createUser({ site, ...(key && { primary_key: key }), links }, call())
    return user.identifier
  }
  const primaryKey = randomUUID()
  const [source, destination] = [await create('search', primaryKey), await create('messaging')]
  const pair = { source: { identifier: source }, destination: { identifier: destination } }
  await identity.mergeUsers({ site, ...pair, nomerge: true }, call())

  const events = await readUntil('user.merged')
  expectNumbered(events)
  const merged = events.find(({ type }) => type === 'user.merged')
  expect(merged).toMatchObject({
    user: { identifier: destination, primary_key: primaryKey },
    merged_user: { identifier: source, primary_key: primaryKey },
    data: { moved_providers: ['search'], login_count: 0, previous_primary_key: null },
  })
  const ofSource = events.filter(({ user }) => user.identifier === source)
  expect(ofSource.map(({ data }) => data)).toEqual([null])
  const { events: found } = await stack.events.listEvents({ site, identifier: source, limit: 10 }, call())
  expect(found.map(({ type }) => type)).toEqual(['user.created', 'user.merged'])
})

test('pages have no gap and no duplicate, and end with a position from which later events are read', async () => {
  const { stack, site, readAll, readUntil } = await openStream()
  const { identity, events, call } = stack
  const create = () => identity.createUser({ site, primary_key: randomUUID(), links: [] }, call())
  const before = await events.readPosition({ site }, call())
  for (let n = 0; n < 5; n++) await create()
  await readUntil('user.created', 5)
  expectNumbered(await readAll(2))
  const { next, more } = await events.listEvents({ site, after: before, types: ['user.deleted'], limit: 1 }, call())
  expect([next.sequence, more]).toEqual([5, false])
  await create()
  await readUntil('user.created', 6)
  const later = await events.listEvents({ site, after: next, limit: 10 }, call())
  expect(later.events.map(({ sequence }) => sequence)).toEqual([6])
})

test('events_deleted for a position of another numbering, or after the newest event', async () => {
  const { stack, site } = await openStream()
  const { events, call } = stack
  const position = await events.readPosition({ site }, call())
  for (const after of [
    { ...position, stream: randomUUID() },
    { ...position, sequence: position.sequence + 1 },
  ])
    await expect(events.listEvents({ site, after, limit: 1 }, call())).rejects.toMatchObject({
      fault: 'events_deleted',
    })
})

test('events of several sites in one message are in the stream of each, once, and users are found at their sites', async () => {
  const [one, other] = [await openStream(), await openStream()]
  const { identity, events, call } = one.stack
  const identifier = randomUUID()
  const time = '2030-01-01T00:00:00.000Z'
  const created = { created_by: 'import', created_at: '2030-01-01T00:00:00Z', providers: [] }
  const message = [one, other].flatMap(({ site }) => {
    const event = { site, user: { identifier, primary_key: `p${site}` }, time }
    return [
      { ...event, id: randomUUID(), type: 'user.created' as const, data: created },
      { ...event, id: randomUUID(), type: 'user.deleted' as const, data: {} },
    ]
  })
  await events.record({ events: message.slice(0, 3) }, call())
  await events.record({ events: message }, call())
  for (const { site, readAll } of [one, other])
    expect(await readAll()).toMatchObject([
      { type: 'user.created', sequence: 1, user: { identifier, primary_key: null }, data: null },
      { type: 'user.deleted', sequence: 2, user: { identifier, primary_key: `p${site}` }, data: {} },
    ])

  const users = await Promise.all(
    [one, other].map(async ({ site }) => (await identity.createUser({ site, links: [] }, call())).user.identifier),
  )
  const [first = '', second = ''] = users
  const subjects = [
    { site: other.site, identifier: second },
    { site: one.site, identifier: second },
    { site: one.site, identifier: first },
  ]
  const answer = await identity.findEventUsers({ users: subjects }, call())
  expect(answer.users.map(({ user }) => user?.identifier)).toEqual([second, undefined, first])
})
