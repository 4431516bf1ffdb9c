import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { createEncryptor, keyRing } from '#runtime'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import type { ProviderCredential } from '../domain/credential.ts'
import { findCredentials, upsertCredential } from './credentials.ts'
import { decryptCredential } from './encrypted-credentials.ts'

const given = (linkId: string): Omit<ProviderCredential, 'access_token'> => ({
  link_id: linkId,
  site: 1,
  provider: 'search',
  provider_user_id: 'U1',
  access_secret: null,
  refresh_token: null,
  expires_at: null,
  recorded_at: new Date(),
})

test('a damaged token affects only its own link', async () => {
  await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'provider-auth'))
  const { knex } = database
  using encryptor = await createEncryptor(keyRing(new Map([['test', Buffer.alloc(32)]])))
  const [intact, damaged, absent] = [randomUUID(), randomUUID(), randomUUID()]
  for (const linkId of [intact, damaged])
    await knex.transaction((trx) => upsertCredential(trx, encryptor, { ...given(linkId), access_token: linkId }))
  await knex('credentials')
    .where({ link_id: damaged })
    .update({ access_token: Buffer.from('changed') })

  const found = await findCredentials(knex, { site: 1, link_ids: [intact, damaged, absent] })
  expect(found).toHaveLength(2)
  const ofLink = (linkId: string) => found.find(({ link_id }) => link_id === linkId)
  const [ofIntact, ofDamaged] = [ofLink(intact), ofLink(damaged)]
  if (ofIntact === undefined || ofDamaged === undefined) throw new Error('Both are stored.')
  expect((await decryptCredential(encryptor, ofIntact)).access_token).toBe(intact)
  await expect(decryptCredential(encryptor, ofDamaged)).rejects.toMatchObject({
    name: 'DecryptionError',
    failure: 'damaged',
  })
})

test.each([
  { stored: 'damaged', expected: null },
  { stored: 'intact', expected: 'first refresh token' },
])(
  'a login without a refresh token keeps the stored one only if it can be decrypted: $stored',
  async ({ stored, expected }) => {
    await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'provider-auth'))
    const { knex } = database
    using encryptor = await createEncryptor(keyRing(new Map([['test', Buffer.alloc(32)]])))
    const linkId = randomUUID()
    const login = (tokens: Pick<ProviderCredential, 'access_token' | 'refresh_token' | 'recorded_at'>) =>
      knex.transaction((trx) => upsertCredential(trx, encryptor, { ...given(linkId), ...tokens }))
    await login({ access_token: 'first', refresh_token: 'first refresh token', recorded_at: new Date(1) })
    if (stored === 'damaged')
      await knex('credentials')
        .where({ link_id: linkId })
        .update({ refresh_token: Buffer.from('changed') })

    await login({ access_token: 'second', refresh_token: null, recorded_at: new Date(2) })
    const [row] = await findCredentials(knex, { site: 1, link_ids: [linkId] })
    expect(row && (await decryptCredential(encryptor, row))).toMatchObject({
      access_token: 'second',
      refresh_token: expected,
    })
  },
)

test('a login that is stored late does not replace the tokens of a later one', async () => {
  await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'provider-auth'))
  const { knex } = database
  using encryptor = await createEncryptor(keyRing(new Map([['test', Buffer.alloc(32)]])))
  const linkId = randomUUID()
  const store = (accessToken: string, seconds: number) =>
    knex.transaction((trx) => {
      const recordedAt = new Date(Date.UTC(2030, 0, 1, 0, 0, seconds))
      return upsertCredential(trx, encryptor, { ...given(linkId), access_token: accessToken, recorded_at: recordedAt })
    })
  expect(await store('later', 2)).toBe(true)
  expect(await store('earlier', 1)).toBe(false)
  const [row] = await findCredentials(knex, { site: 1, link_ids: [linkId] })
  expect(row && (await decryptCredential(encryptor, row))).toMatchObject({ access_token: 'later' })
})
