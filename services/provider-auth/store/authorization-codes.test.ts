import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createEncryptor, keyRing } from '#runtime'
import { cloneDatabase, openForTest } from '#testing'
import {
  type AuthorizationCode,
  consumeCode,
  deleteExpiredCodes,
  insertAuthorizationCode,
} from './authorization-codes.ts'
import { insertClient } from './clients.ts'

let database: ReturnType<typeof openForTest>
beforeAll(async () => {
  database = openForTest(await cloneDatabase(inject('postgres_url'), 'provider-auth'))
})
afterAll(() => database[Symbol.asyncDispose]())

const client = {
  client_id: 'shop',
  site: 1,
  name: 'shop',
  kind: 'confidential',
  pkce: 'optional',
  callback_by_domain: false,
  token_exchange: false,
  metadata_claims: [],
  consents_claim: false,
  user_metadata_write: false,
  response_types: ['code', 'id_token'],
} as const
const login: AuthorizationCode = {
  link_id: randomUUID(),
  client_id: 'shop',
  redirect_uri: 'https://shop.example.com/',
  site: 1,
  identifier: 'u1',
  scope: ['openid'],
  provider: 'messaging',
  provider_user_id: 'U1',
  auth_time: new Date(),
  recorded_at: new Date(),
  claims: {},
  login_id: null,
  nonce: null,
  code_challenge: null,
  code_challenge_method: null,
}

test('removeOutdatedCodes: a code is removed with its access token when that token has expired, not before', async () => {
  const { knex } = database
  using encryptor = await createEncryptor(keyRing(new Map([['test', Buffer.alloc(32)]])))
  const registered = { ...client, id_token_alg: 'RS256', redirect_uris: ['x:'], post_logout_redirect_uris: [] } as const
  await knex.transaction((trx) => insertClient(trx, registered, []))
  for (const code of ['fresh', 'outdated']) {
    await knex.transaction((trx) => insertAuthorizationCode(trx, encryptor, { ...login, code }))
    await consumeCode(knex, { site: 1, code, client_id: 'shop' }, { access_token: `token of ${code}`, received: [] })
  }
  const ages = { fresh: 3_590, outdated: 3_610 }
  for (const [code, seconds] of Object.entries(ages))
    await knex('authorization_codes')
      .whereRaw(`code_hash = encode(sha256(?::text::bytea), 'hex')`, [code])
      .update({ expires_at: knex.raw('now() - make_interval(secs => ?)', [seconds]) })

  await deleteExpiredCodes(knex)
  expect(await knex('authorization_codes').pluck('code_hash')).toHaveLength(1)
  expect(await knex('access_tokens').pluck('token_hash')).toHaveLength(1)
})
