import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findFreePort } from '#local'
import { faultMatching, type Harness, newLogin, readiness, startIdentity } from './harness.ts'
import { serveRecipients } from './recipients.ts'

/** A proxy for Postgres that can be disconnected. */
async function openWay() {
  const postgres = new URL(inject('postgres_url'))
  const port = await findFreePort()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(postgres.port), postgres.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    near.pipe(far).pipe(near)
  })
  const open = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
  await open()
  return { port, open, cut }
}

let way: Awaited<ReturnType<typeof openWay>>
let harness: Harness
let site: number
beforeAll(async () => {
  way = await openWay()
  harness = await startIdentity({ postgres_port: way.port })
  site = await harness.newSite()
})
afterAll(async () => {
  await harness[Symbol.asyncDispose]()
  await way.cut()
})

test('unavailable and not ready while Postgres is unavailable; afterwards everything works, including jobs', async () => {
  const { identity, call, bus, knex, replica } = harness
  const { user } = await identity.recordLogin(newLogin(site), call())
  const { identifier } = user
  await identity.deleteUser({ site, identifier }, call())
  await way.cut()

  const unavailable = faultMatching('unavailable')
  await expect(identity.resolveUser({ site, identifier }, call())).rejects.toMatchObject(unavailable)
  await expect(identity.recordLogin(newLogin(site), call())).rejects.toMatchObject(unavailable)
  await expect(identity.listSites({ after_revision: 0, limit: 1 }, call())).rejects.toMatchObject(unavailable)
  await expect.poll(() => readiness(replica)).toBe('not ready: database\n')

  await way.open()
  await expect.poll(() => readiness(replica)).toBe('ready\n')
  expect(await identity.recordLogin(newLogin(site), call())).toMatchObject({ created: true })

  await using recipients = await serveRecipients(bus)
  await knex('jobs').update({ run_at: knex.fn.now() })
  const receivers = () => recipients.received.map((message) => message.to).toSorted()
  await expect.poll(receivers).toEqual(['friendship.deleteLinks', 'profile.deleteLinks', 'providerAuth.deleteLinks'])
})

test('running requests fail when Postgres becomes unavailable, and none hangs', async () => {
  const { identity, call, knex, waitingForLocks } = harness
  const { user } = await identity.createUser({ site, links: [] }, call())
  const holding = await knex.transaction()
  await holding('users').where({ site, identifier: user.identifier }).forUpdate()
  const running = identity.unmapPrimaryKey({ site, identifier: user.identifier }, call())
  const outcome = expect(running).rejects.toMatchObject(faultMatching('unavailable'))
  await expect.poll(waitingForLocks).toBe(1)
  await way.cut()
  await outcome
  await holding.rollback()
  await way.open()
})
