import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { nodeEnvironment, openForTest } from '#testing'
import { expectNumbered, openStream } from './harness.ts'

test('the data of events is encrypted, converted in both directions, and gone with a deleted user, in a restored backup as well', async () => {
  const { stack, site, readAll, readUntil } = await openStream()
  const { identity, call } = stack
  await using database = openForTest(stack.database_urls.events)
  const { knex } = database
  const primaryKey = randomUUID()
  const create = () =>
    identity.createUser({ site, links: [{ provider: 'messaging', provider_user_id: randomUUID() }] }, call())
  const [{ user }, { user: other }] = [await create(), await create()]
  const { identifier } = user
  await identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: false }, call())
  const before = await readUntil('user.mapped')
  expect(before).toMatchObject([
    { type: 'user.created', data: { providers: ['messaging'] } },
    { type: 'user.created' },
    { type: 'user.mapped', data: { primary_key: primaryKey } },
  ])
  const storedData = () => knex('events').where({ site }).orderBy('sequence').pluck('data')
  const isEncrypted = (data: unknown) => typeof data === 'string'
  expect((await storedData()).map(isEncrypted)).toEqual([true, true, true])

  const convert = (encrypts: 'yes' | 'no') => {
    const keys = { ENCRYPTION_KEYS: inject('encryption_keys'), ENCRYPT_PERSONAL_DATA: encrypts }
    const env = { ...nodeEnvironment, DATABASE_URL: stack.database_urls.events, ...keys }
    return promisify(execFile)(process.execPath, ['services/events/encryption.ts', 'rotate'], { env })
  }
  await convert('no')
  expect((await storedData()).map(isEncrypted)).toEqual([false, false, false])
  expect(await readAll()).toEqual(before)
  await convert('yes')
  const backup: object[] = await knex('events').where({ site })
  expect((await storedData()).map(isEncrypted)).toEqual([true, true, true])
  expect(await readAll()).toEqual(before)

  await identity.deleteUser({ site, identifier }, call())
  await readUntil('user.deleted')
  for (const { sequence, data } of backup.map((row) => ({ data: null, sequence: 0, ...row })))
    await knex('events')
      .where({ site, sequence })
      .update({ data: JSON.stringify(data) })
  const restored = await readAll()
  expectNumbered(restored)
  const ofUser = restored.filter((event) => event.user.identifier === identifier)
  expect(ofUser.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'user.created', data: null },
    { type: 'user.mapped', data: null },
    { type: 'user.deleted', data: {} },
  ])
  expect(restored.filter((event) => event.user.identifier === other.identifier)).toEqual(
    before.filter((event) => event.user.identifier === other.identifier),
  )
})
