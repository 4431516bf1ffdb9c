import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newCall } from '#bus'
import { faultMatching, newLogin, readiness, startIdentity } from './harness.ts'

test('a stopping service finishes accepted requests, accepts no more, and ends', async () => {
  await using harness = await startIdentity()
  const { identity, call, knex, replica, waitingForLocks } = harness
  const site = await harness.newSite()
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { identifier } = user

  const holding = await knex.transaction()
  await holding('users').where({ site, identifier }).forUpdate()
  const primaryKey = randomUUID()
  const accepted = Array.from({ length: 5 }, () =>
    identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: false }, call()),
  )
  await expect.poll(waitingForLocks).toBe(5)

  let ended = false
  const stopping = replica.stop().then(() => {
    ended = true
  })
  // New requests are rejected while the accepted ones are still running.
  const request = () => identity.resolveUser({ site, identifier }, newCall({ withinMs: 100 }))
  await expect.poll(() => request().catch((error: unknown) => error)).toMatchObject(faultMatching('unavailable'))
  await turn()
  expect(ended).toBe(false)
  await holding.rollback()
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => ({})))
  await stopping
})

test('without NATS a replica is not ready; when NATS is back it responds, and stored data is not lost', async () => {
  await using harness = await startIdentity()
  const { identity, call, nats, replica } = harness
  const site = await harness.newSite()
  const account = { provider_user_id: randomUUID() }
  const { user } = await identity.recordLogin(newLogin(site, account), call())
  expect(await readiness(replica)).toBe('ready\n')

  const login = newLogin(site, account)
  const interrupted = identity.recordLogin(login, call()).catch((error: unknown) => error)
  await nats.stop()
  await interrupted
  await expect.poll(() => readiness(replica)).toBe('not ready: bus\n')
  await nats.start()
  await expect.poll(() => readiness(replica)).toBe('ready\n')

  // The interrupted login counts once when it is repeated, whether it was counted or not.
  const request = () => identity.recordLogin(login, call()).catch((error: unknown) => error)
  await expect.poll(request).toMatchObject({ created: false })
  expect(await identity.resolveUser({ site, identifier: user.identifier }, call())).toMatchObject({
    user: { login_count: 2 },
  })
})
