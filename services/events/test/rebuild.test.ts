import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { StreamEvent } from '#contracts'
import { expectNumbered, openStream } from './harness.ts'

/** A customer's copy: the primary_key of each user. */
type Copy = Map<string, string | null>

/** Applies an event as the documentation says. Repeating it has no further effect. */
function applyEvent(copy: Copy, { type, user, merged_user, data }: StreamEvent): void {
  if (merged_user !== undefined) copy.delete(merged_user.identifier)
  // Of a user who was deleted meanwhile; the deletion follows.
  if (data === null) return
  if (type === 'user.deleted') copy.delete(user.identifier)
  else copy.set(user.identifier, user.primary_key)
}

test('a copy from the list of users and the later events is equal to the users, also if they change all the time', async () => {
  const { stack, site, readAll } = await openStream()
  const { identity, events, call } = stack
  const users: string[] = []
  const create = async () => {
    const provider = Math.random() < 0.5 ? 'messaging' : 'search'
    const account = { provider, provider_user_id: randomUUID() } as const
    const { user } = await identity.recordLogin({ site, login: randomUUID(), ...account }, call())
    users.push(user.identifier)
  }
  const pick = () => users[Math.floor(Math.random() * users.length)] ?? ''
  const changes = [
    create,
    create,
    () => identity.mapPrimaryKey({ site, identifier: pick(), primary_key: randomUUID(), overwrite: true }, call()),
    () => identity.unmapPrimaryKey({ site, identifier: pick() }, call()),
    () => identity.deleteUser({ site, identifier: pick() }, call()),
    () =>
      identity.mergeUsers(
        { site, source: { identifier: pick() }, destination: { identifier: pick() }, nomerge: true },
        call(),
      ),
  ]
  for (let n = 0; n < 30; n++) await create()
  let isOver = false
  const change = async () => {
    while (!isOver) {
      const [one] = [changes[Math.floor(Math.random() * changes.length)]]
      // Some users do not exist any more, or have accounts of the same provider.
      await one?.().catch(() => {})
    }
  }
  const changing = Array.from({ length: 4 }, change)

  // The recipe: a position, then the list, then the events after the position.
  let next = await events.readPosition({ site }, call())
  const copy: Copy = new Map()
  let after: { after?: string; after_registration?: number } = {}
  for (let more = true; more; ) {
    const page = await identity.listUsers({ site, limit: 10, ...after }, call())
    const { users: read } = await identity.readUsers({ site, identifiers: page.identifiers }, call())
    for (const { identifier, primary_key } of read) copy.set(identifier, primary_key)
    more = page.more
    const last = page.identifiers.at(-1)
    const registration = page.last_registration
    if (last !== undefined)
      after = { after: last, ...(registration !== undefined && { after_registration: registration }) }
  }
  const follow = async () => {
    const page = await events.listEvents({ site, after: next, limit: 50 }, call())
    for (const event of page.events) applyEvent(copy, event)
    next = page.next
    return page.more
  }
  for (let n = 0; n < 20; n++) await follow()
  isOver = true
  await Promise.all(changing)

  const total = async () => (await identity.listUsers({ site, limit: 1 }, call())).total
  const listAll = async () => {
    const found: Copy = new Map()
    for (let start = 0; start < users.length; start += 100) {
      const identifiers = users.slice(start, start + 100)
      const { users: read } = await identity.readUsers({ site, identifiers }, call())
      for (const { identifier, primary_key } of read) found.set(identifier, primary_key)
    }
    return found
  }
  const truth = await listAll()
  expect(truth.size).toBe(await total())
  const sorted = (users: Copy) => [...users].toSorted(([a], [b]) => a.localeCompare(b))
  await expect
    .poll(
      async () => {
        while (await follow());
        return sorted(copy)
      },
      { timeout: 20_000 },
    )
    .toEqual(sorted(truth))
  expectNumbered(await readAll())
})
