import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultMatching, type Harness, startIdentity } from './harness.ts'

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

async function newUser(primaryKey?: string) {
  const links = [{ provider: 'messaging', provider_user_id: randomUUID() } as const]
  const mapping = primaryKey === undefined ? {} : { primary_key: primaryKey }
  return (await harness.identity.createUser({ site, links, ...mapping }, harness.call())).user.identifier
}

const keyOf = async (identifier: string): Promise<string | null | undefined> =>
  (await harness.knex('users').where({ site, identifier }).first('primary_key'))?.primary_key

/** The commands that name a user by primary_key. */
const commands: Record<string, (primaryKey: string) => Promise<unknown>> = {
  unmap: (key) => harness.identity.unmapPrimaryKey({ site, primary_key: key }, harness.call()),
  delete: (key) => harness.identity.deleteUser({ site, primary_key: key }, harness.call()),
  unlink: (key) =>
    harness.identity.unlinkProviders(
      { site, primary_key: key, providers: ['messaging'], nowarn: true, nomerge: true },
      harness.call(),
    ),
  merge: async (key) => {
    const destination = {
      identifier: (await harness.identity.createUser({ site, links: [] }, harness.call())).user.identifier,
    }
    return harness.identity.mergeUsers(
      { site, source: { primary_key: key }, destination, nomerge: true },
      harness.call(),
    )
  },
}

/** Starts a command while another transaction holds the user, which changes keys before it commits. */
async function runWhile(
  command: () => Promise<unknown>,
  held: string,
  change: (trx: Knex.Transaction) => Promise<void>,
) {
  const trx = await harness.knex.transaction()
  await trx('users').where({ site, identifier: held }).forUpdate().select()
  const running = command()
  running.catch(() => {})
  await expect.poll(harness.waitingForLocks).toBe(1)
  await change(trx)
  await trx.commit()
  return running
}

const setKey = async (trx: Knex.Transaction, identifier: string, primaryKey: string | null) => {
  const mapping = { primary_key: primaryKey, mapped_at: primaryKey === null ? null : trx.fn.now() }
  await trx('users').where({ site, identifier }).update(mapping)
}

describe.each(Object.keys(commands))('%s by primary_key', (name) => {
  const command = (key: string) => commands[name]?.(key) ?? Promise.reject(new Error('unknown command'))

  test('does not change the user that had the key before', async () => {
    const [key, newKey] = [randomUUID(), randomUUID()]
    const identifier = await newUser(key)
    const running = runWhile(
      () => command(key),
      identifier,
      (trx) => setKey(trx, identifier, newKey),
    )
    await expect(running).rejects.toMatchObject(faultMatching('entity_not_found'))
    expect(await keyOf(identifier)).toBe(newKey)
    expect(await harness.knex('links').where({ site, identifier })).toHaveLength(1)
  })

  test('changes the user that got the key meanwhile', async () => {
    const key = randomUUID()
    const [before, after] = [await newUser(key), await newUser()]
    await runWhile(
      () => command(key),
      before,
      async (trx) => {
        await setKey(trx, before, null)
        await setKey(trx, after, key)
      },
    )
    expect(await keyOf(before)).toBeNull()
    expect(await harness.knex('links').where({ site, identifier: before })).toHaveLength(1)
    const changed = await harness.knex('users').where({ site, identifier: after }).first('primary_key')
    const links = await harness.knex('links').where({ site, identifier: after })
    expect({ key: changed?.primary_key, links: links.length }).toEqual(
      { unmap: { key: null, links: 1 }, unlink: { key, links: 0 } }[name] ?? { key: undefined, links: 0 },
    )
  })
})

test('a merge never finds one user by two keys that it had one after the other', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const identifier = await newUser(one)
  let isMoving = true
  const move = async () => {
    for (let count = 0; count < 300; count++) {
      const key = count % 2 === 0 ? other : one
      await harness.identity.mapPrimaryKey({ site, identifier, primary_key: key, overwrite: true }, harness.call())
    }
    isMoving = false
  }
  const faults = new Set<string>()
  const merge = async () => {
    const pair = { source: { primary_key: one }, destination: { primary_key: other } }
    while (isMoving) {
      const merging = harness.identity.mergeUsers({ site, ...pair, nomerge: true }, harness.call())
      await merging.catch((error: unknown) => faults.add(String(error)))
    }
  }
  await Promise.all([move(), ...Array.from({ length: 4 }, merge)])
  expect([...faults]).toEqual(['Fault: entity_not_found'])
})
