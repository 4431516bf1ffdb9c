import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { serveFollowers } from './followers.ts'
import { type Harness, newLogin, patience, refusal, startIdentity } from './harness.ts'

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

const jobs = () => harness.knex('graphile_worker.jobs').select('task_identifier', 'key')

test('a deleted user is gone with links and history, and every other service was asked to forget it', async () => {
  const { identity, call, bus, knex } = harness
  await using followers = await serveFollowers(bus)
  const { user } = await identity.recordLogin(newLogin(site), call())
  const { identifier } = user
  const primary_key = randomUUID()
  await identity.mapPrimaryKey({ site, identifier, primary_key, overwrite: false }, call())
  await identity.deleteUser({ site, identifier }, call())

  expect(followers.asked.map(({ part }) => part).toSorted()).toEqual([
    'friendship.forgetUser',
    'profile.forgetUser',
    'providerAuth.forgetUser',
  ])
  for (const asked of followers.asked) expect(asked).toMatchObject({ site, identifier })
  expect(await jobs()).toEqual([])
  for (const ids of [{ identifier }, { primary_key }])
    await expect(identity.resolveUser({ site, ...ids }, call())).rejects.toMatchObject(refusal('entity_not_found'))
  for (const table of ['users', 'links', 'login_history'])
    expect(await knex(table).where({ site, identifier })).toEqual([])
})

test('entity_not_found when there is no such user, and nobody is asked to forget', async () => {
  const { identity, call, bus } = harness
  await using followers = await serveFollowers(bus)
  await expect(identity.deleteUser({ site, identifier: newIdentifier() }, call())).rejects.toMatchObject(
    refusal('entity_not_found'),
  )
  expect(followers.asked).toEqual([])
  expect(await jobs()).toEqual([])
})

test('of ten deletions at once of one user exactly one succeeds', async () => {
  const { identity, call, bus } = harness
  await using _followers = await serveFollowers(bus)
  const { user } = await identity.createUser({ site, links: [] }, call())
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => identity.deleteUser({ site, identifier: user.identifier }, call())),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refusal('entity_not_found'))
})

test('a follower that is away does not fail the deletion and is asked when it is back', async () => {
  const { identity, call, bus, knex } = harness
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { identifier } = user
  {
    await using followers = await serveFollowers(bus, ['profile', 'friendship'])
    await identity.deleteUser({ site, identifier }, call())
    expect(followers.asked).toHaveLength(2)
  }
  await expect(identity.resolveUser({ site, identifier }, call())).rejects.toMatchObject(refusal('entity_not_found'))
  expect(await jobs()).toEqual([
    { task_identifier: 'providerAuth.forgetUser', key: `providerAuth.forgetUser:${site}:${identifier}` },
  ])

  await using followers = await serveFollowers(bus)
  const asked = new Promise<void>((resolve) => followers.onAsked(resolve))
  // The job's head start passes.
  await knex('graphile_worker._private_jobs').update({ run_at: knex.fn.now() })
  await asked
  expect(followers.asked).toEqual([{ part: 'providerAuth.forgetUser', site, identifier }])
  await expect.poll(jobs, patience).toEqual([])
})
