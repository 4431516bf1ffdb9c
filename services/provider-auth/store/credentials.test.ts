import { expect, inject, test } from 'vitest'
import { gather } from '#database'
import { createSealer, keyRing } from '#runtime'
import { cloneDatabase, openForTest } from '../../../libs/testing/databases.ts'
import { findCredential, listCredentials, upsertCredential } from './credentials.ts'
import type { User } from './forgotten-users.ts'
import { type GivenCredential, openCredential, type SealedCredential } from './sealed-credentials.ts'

const userOf = (identifier: string): User => ({ site: 1, identifier })

test('look-ups of one turn are one statement, and a damaged token is its own user’s alone', async () => {
  await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'provider-auth'))
  const { knex } = database
  using sealer = await createSealer(keyRing(new Map([['test', Buffer.alloc(32)]])))
  const [ada, grace, edith] = [userOf('ada'), userOf('grace'), userOf('edith')]
  const given = {
    provider_user_id: 'U1',
    access_secret: null,
    refresh_token: null,
    expires_at: null,
    recorded_at: new Date(),
  }
  for (const { user, provider } of [
    { user: ada, provider: 'messaging' as const },
    { user: ada, provider: 'search' as const },
    { user: grace, provider: 'search' as const },
  ])
    await knex.transaction((trx) =>
      upsertCredential(trx, sealer, { ...user, ...given, provider, access_token: `${user.identifier} at ${provider}` }),
    )
  await knex('credentials')
    .where(grace)
    .update({ access_token: Buffer.from('changed') })

  const statements: string[] = []
  knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const findCredentials = gather((users: readonly User[]) => listCredentials(knex, users))
  const [of_ada = [], of_grace = [], of_edith = []] = await Promise.all([ada, grace, edith].map(findCredentials))
  expect(statements).toHaveLength(1)
  const openAll = (rows: readonly SealedCredential[]) => Promise.all(rows.map((row) => openCredential(sealer, row)))
  const tokens = (await openAll(of_ada)).map(({ access_token }) => access_token)
  expect(tokens.toSorted()).toEqual(['ada at messaging', 'ada at search'])
  await expect(openAll(of_grace)).rejects.toMatchObject({ name: 'SealBroken', by: 'damaged' })
  expect(of_edith).toEqual([])
})

test.each([
  { stored: 'damaged', kept: null },
  { stored: 'intact', kept: 'first refresh token' },
])(
  'a login that brings no refresh token keeps the stored one only if it can be decrypted: $stored',
  async ({ stored, kept }) => {
    await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'provider-auth'))
    const { knex } = database
    using sealer = await createSealer(keyRing(new Map([['test', Buffer.alloc(32)]])))
    const owner = { ...userOf('ada'), provider: 'search' } as const
    const login = (tokens: Pick<GivenCredential, 'access_token' | 'refresh_token'>) =>
      knex.transaction((trx) =>
        upsertCredential(trx, sealer, {
          ...{ ...owner, ...tokens, provider_user_id: 'U1', access_secret: null, expires_at: null },
          recorded_at: new Date(),
        }),
      )
    await login({ access_token: 'first', refresh_token: 'first refresh token' })
    if (stored === 'damaged')
      await knex('credentials')
        .where(owner)
        .update({ refresh_token: Buffer.from('changed') })

    await login({ access_token: 'second', refresh_token: null })
    const row = await findCredential(knex, owner)
    expect(row && (await openCredential(sealer, row))).toMatchObject({ access_token: 'second', refresh_token: kept })
  },
)
