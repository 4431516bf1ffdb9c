import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fault } from '#contracts'
import { type Harness, startIdentity } from './harness.ts'

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

const newKey = () => `key-${randomUUID()}`
const createUser = async (primaryKey?: string) => {
  const mapping = primaryKey === undefined ? {} : { primary_key: primaryKey }
  return (await harness.identity.createUser({ site, links: [], ...mapping }, harness.call())).user.identifier
}
const keyOf = async (identifier: string) =>
  (await harness.knex('users').where({ site, identifier }).first('primary_key')).primary_key

// A caller that got the first answer must not find an effect of its second attempt at another replica.
test('a command that was rejected is rejected again, although it could take effect now', async () => {
  const primaryKey = newKey()
  const unmap = { site, primary_key: primaryKey, command: randomUUID() }
  await expect(harness.identity.unmapPrimaryKey(unmap, harness.call())).rejects.toEqual(new Fault('entity_not_found'))
  const identifier = await createUser(primaryKey)
  await expect(harness.identity.unmapPrimaryKey(unmap, harness.call())).rejects.toEqual(new Fault('entity_not_found'))
  expect(await keyOf(identifier)).toBe(primaryKey)
})

test('also with the rejected fields', async () => {
  const [first, second] = [newKey(), newKey()]
  const identifier = await createUser(first)
  const source = { identifier, primary_key: second }
  await createUser(second)
  const destination = { identifier: await createUser() }
  const merge = { site, source, destination, nomerge: true, command: randomUUID() }
  const rejection = expect.objectContaining({
    fault: 'invalid_parameter',
    fields: [expect.objectContaining({ field: 'source' })],
  })
  await expect(harness.identity.mergeUsers(merge, harness.call())).rejects.toEqual(rejection)
  await harness.identity.deleteUser({ site, primary_key: second }, harness.call())
  await harness.identity.mapPrimaryKey({ site, identifier, primary_key: second, overwrite: true }, harness.call())
  await expect(harness.identity.mergeUsers(merge, harness.call())).rejects.toEqual(rejection)
})

test('a merge that failed because of a shared provider can be repeated, as its answer says', async () => {
  const account = (id: string) => [{ provider: 'messaging', provider_user_id: id } as const]
  const create = async () =>
    (await harness.identity.createUser({ site, links: account(randomUUID()) }, harness.call())).user.identifier
  const [source, destination] = [await create(), await create()]
  const merge = { site, source: { identifier: source }, destination: { identifier: destination }, nomerge: true }
  const command = randomUUID()
  await expect(harness.identity.mergeUsers({ ...merge, command }, harness.call())).rejects.toEqual(
    new Fault('operation_failed'),
  )
  const unlink = { site, identifier: source, providers: ['messaging' as const], nowarn: true, nomerge: true }
  await harness.identity.unlinkProviders(unlink, harness.call())
  await harness.identity.mergeUsers({ ...merge, command }, harness.call())
})
