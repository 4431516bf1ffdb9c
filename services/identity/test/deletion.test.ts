import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { faultMatching, type Harness, newLogin, startIdentity } from './harness.ts'
import { serveRecipients } from './recipients.ts'

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

const jobs = () => harness.knex('jobs').select('task', 'key')

test('a user is deleted with links and history, and every other service receives the links', async () => {
  const { identity, call, bus, knex } = harness
  await using recipients = await serveRecipients(bus)
  const { user, link_id } = await identity.recordLogin(newLogin(site), call())
  const { identifier } = user
  const primaryKey = randomUUID()
  await identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: false }, call())
  await identity.deleteUser({ site, identifier }, call())

  const deleted = { site, identifier, link_ids: [link_id], deleted_at: expect.stringMatching(/\.\d{3}Z$/) }
  expect(recipients.received.toSorted((a, b) => a.to.localeCompare(b.to))).toEqual([
    { to: 'friendship.deleteLinks', site, link_ids: [link_id] },
    { to: 'profile.deleteLinks', ...deleted, profile: 'delete' },
    { to: 'providerAuth.deleteLinks', ...deleted },
  ])
  await expect.poll(jobs).toEqual([])
  for (const ids of [{ identifier }, { primary_key: primaryKey }])
    await expect(identity.resolveUser({ site, ...ids }, call())).rejects.toMatchObject(
      faultMatching('entity_not_found'),
    )
  for (const table of ['users', 'links', 'login_history'])
    expect(await knex(table).where({ site, identifier })).toEqual([])
})

test('entity_not_found for an unknown user, and no service receives anything', async () => {
  const { identity, call, bus } = harness
  await using recipients = await serveRecipients(bus)
  await expect(identity.deleteUser({ site, identifier: newIdentifier() }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
  expect(recipients.received).toEqual([])
  await expect.poll(jobs).toEqual([])
})

test('of ten concurrent deletions of one user exactly one succeeds', async () => {
  const { identity, call, bus } = harness
  await using recipients = await serveRecipients(bus)
  const { user } = await identity.createUser({ site, links: [] }, call())
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => identity.deleteUser({ site, identifier: user.identifier }, call())),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(faultMatching('entity_not_found'))
  // Without links, friendship has no data of the user.
  expect(recipients.received.map(({ to }) => to).toSorted()).toEqual([
    'profile.deleteLinks',
    'providerAuth.deleteLinks',
  ])
})

test('a service that is not running does not fail the deletion and receives the message when it runs again', async () => {
  const { identity, call, bus, knex } = harness
  const { user, link_id } = await identity.recordLogin(newLogin(site), call())
  const { identifier } = user
  {
    await using recipients = await serveRecipients(bus, ['profile', 'friendship'])
    await identity.deleteUser({ site, identifier }, call())
    expect(recipients.received).toHaveLength(2)
  }
  await expect(identity.resolveUser({ site, identifier }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
  expect(await jobs()).toEqual([
    {
      task: 'providerAuth.deleteLinks',
      key: expect.stringMatching(`^providerAuth\\.deleteLinks:${site}:`),
    },
  ])

  await using recipients = await serveRecipients(bus)
  // The job's head start passes.
  await knex('jobs').update({ run_at: knex.fn.now() })
  const message = { to: 'providerAuth.deleteLinks', site, identifier, link_ids: [link_id] }
  await expect.poll(() => recipients.received).toMatchObject([message])
  await expect.poll(jobs).toEqual([])
})
