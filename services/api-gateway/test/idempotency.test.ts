import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openForTest, seedSite } from '#testing'
import { type ApiResponse, createCaller, errorResponses, type ParameterList } from './caller.ts'
import { countUsers, createTestUser, logInAs, setOwnStage } from './stage.ts'

const stage = setOwnStage({ gateways: 2 })

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
/** The state after gateways crashed between the effects of their requests and storing the responses. */
const forgetResponses = (knex: Knex, stored: { command?: string; identifier?: string; site?: number }) =>
  knex('stored_responses').where(stored).update({ response: null, identifier: null, claimed_until: knex.fn.now() })
const toStatusAndBody = ({ status, body }: ApiResponse) => ({ status, body })

describe('a repeat of the same request with the same Idempotency-Key', () => {
  test('200 with the first response: one user is created, regardless of gateway, method and order of parameters', async () => {
    const key = randomUUID()
    const { api_key } = stage.site
    const [first, second] = stage.serviceStack.gateways.map((gateway) => createCaller(gateway, api_key))
    const parameters = { primary_key: 'kept-1', 'provider_user_ids[messaging]': 'U-kept-1' }
    const result = await first?.get('create_user', parameters, keyed(key))
    expect(result).toMatchObject({ status: 200 })
    const before = await countUsers(stage.web_api)
    const turned = Object.entries(parameters).reverse()
    for (const repeat of [
      await first?.get('create_user', parameters, keyed(key)),
      await second?.get('create_user', turned, keyed(key)),
      await second?.post('create_user', parameters, keyed(key)),
    ])
      expect(repeat && toStatusAndBody(repeat)).toEqual(result && toStatusAndBody(result))
    expect(await countUsers(stage.web_api)).toBe(before)
  })

  test('400/16, 403/8 and 404/7 are repeated, even if the request would succeed now', async () => {
    const [one, two] = [
      await createTestUser(stage.web_api, { primary_key: 'kept-2' }),
      await createTestUser(stage.web_api),
    ]
    const errorCases: [string, ParameterList, object][] = [
      ['create_user', { primary_key: 'kept-2' }, errorResponses.duplicated_primary_key],
      ['map', { identifier: one, primary_key: 'kept-3' }, errorResponses.already_mapped],
      ['merge_user', { source_primary_key: 'kept-4', dest_identifier: two }, errorResponses.entity_not_found],
    ]
    const keys = errorCases.map(() => randomUUID())
    const requestAll = () =>
      Promise.all(
        errorCases.map(([operation, parameters], index) =>
          stage.web_api.get(operation, parameters, keyed(keys[index] ?? '')),
        ),
      )
    expect(await requestAll()).toMatchObject(errorCases.map(([, , error]) => error))
    await stage.web_api.get('unmap', { identifier: one })
    await createTestUser(stage.web_api, { primary_key: 'kept-4' })
    expect(await requestAll()).toMatchObject(errorCases.map(([, , error]) => error))
  })

  test('200 again for a user that the first request deleted', async () => {
    const identifier = await createTestUser(stage.web_api)
    const key = keyed(randomUUID())
    expect(await stage.web_api.get('delete_user', { identifier }, key)).toMatchObject({ status: 200 })
    expect(await stage.web_api.get('delete_user', { identifier }, key)).toMatchObject({ status: 200 })
    expect(await stage.web_api.get('delete_user', { identifier })).toMatchObject(errorResponses.entity_not_found)
  })

  test('200 with the profile that the first request showed and deleted, until the user is deleted', async () => {
    const identifier = await logInAs(stage, 'Hanako Yamada')
    const request = () => stage.web_api.get('profile', { identifier, delete_profile: 'y' }, keyed('profile of Hanako'))
    const first = await request()
    expect(first).toMatchObject({ body: { profile: { user_name: 'Hanako Yamada' } } })
    expect(toStatusAndBody(await request())).toEqual(toStatusAndBody(first))
    await stage.web_api.get('delete_user', { identifier })
    expect(await request()).toMatchObject(errorResponses.entity_not_found)
  })

  describe('404/7 after the created user was deleted: no identifier is returned and no other user is created', () => {
    const created = async (key: string, parameters: Record<string, string>) => {
      const result = await stage.web_api.get('create_user', parameters, keyed(key))
      return z.object({ user: z.object({ identifier: z.string() }) }).parse(result.body).user.identifier
    }
    const goes: [string, (identifier: string) => Promise<ApiResponse>][] = [
      ['deleted', (identifier) => stage.web_api.get('delete_user', { identifier })],
      [
        'merged',
        async (sourceIdentifier) =>
          stage.web_api.get('merge_user', {
            source_identifier: sourceIdentifier,
            dest_identifier: await createTestUser(stage.web_api),
          }),
      ],
    ]

    test.each(goes)('%s, while the response was stored', async (name, go) => {
      const parameters = { primary_key: `gone-${name}`, 'provider_user_ids[messaging]': `U-gone-${name}` }
      expect(await go(await created(`kept ${name}`, parameters))).toMatchObject({ status: 200 })
      const before = await countUsers(stage.web_api)
      for (const _ of ['once', 'again'])
        expect(await stage.web_api.get('create_user', parameters, keyed(`kept ${name}`))).toMatchObject(
          errorResponses.entity_not_found,
        )
      expect(await countUsers(stage.web_api)).toBe(before)
    })

    test.each(goes)('%s, after the gateway crashed before the response was stored', async (name, go) => {
      const identifier = await created(`died ${name}`, {})
      await using identity = openForTest(stage.serviceStack.database_urls.identity)
      await forgetResponses(identity.knex, { identifier })
      expect(await go(identifier)).toMatchObject({ status: 200 })
      const before = await countUsers(stage.web_api)
      for (const _ of ['once', 'again'])
        expect(await stage.web_api.get('create_user', {}, keyed(`died ${name}`))).toMatchObject(
          errorResponses.entity_not_found,
        )
      expect(await countUsers(stage.web_api)).toBe(before)
    })
  })

  test('of twenty concurrent requests one runs; the others get its response or 503/1003 with Retry-After', async () => {
    const key = randomUUID()
    const { api_key } = stage.site
    const before = await countUsers(stage.web_api)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        createCaller(stage.serviceStack.gateways[index % 2] ?? '', api_key).get('create_user', {}, keyed(key)),
      ),
    )
    const done = results.filter(({ status }) => status === 200)
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    for (const result of results.filter(({ status }) => status !== 200)) {
      expect(result).toMatchObject(errorResponses.unavailable)
      expect(result.headers.get('retry-after')).toBe('2')
    }
    expect(await countUsers(stage.web_api)).toBe(before + 1)
    expect(toStatusAndBody(await stage.web_api.get('create_user', {}, keyed(key)))).toEqual(
      done[0] && toStatusAndBody(done[0]),
    )
  })
})

describe('400/6', () => {
  test('for another request with the key: other parameters or another operation', async () => {
    const key = keyed(randomUUID())
    const identifier = await createTestUser(stage.web_api)
    expect(await stage.web_api.get('unmap', { identifier }, key)).toMatchObject({ status: 200 })
    const other = await createTestUser(stage.web_api)
    expect(await stage.web_api.get('unmap', { identifier: other }, key)).toMatchObject(errorResponses.invalid_parameter)
    expect(await stage.web_api.get('delete_user', { identifier }, key)).toMatchObject(errorResponses.invalid_parameter)
    expect(await stage.web_api.get('unmap', {}, key)).toMatchObject(errorResponses.parameter_missing)
    expect(await stage.web_api.get('user_attribute', { identifier }, key)).toMatchObject({ status: 200 })
  })

  test.each(['', 'x'.repeat(256), 'é', 'tab\tbed'])('for the key %j', async (key) => {
    expect(await stage.web_api.get('create_user', {}, keyed(key))).toMatchObject(errorResponses.invalid_parameter)
  })

  test('not for the same key of another site', async () => {
    const other = await seedSite(stage.serviceStack)
    const key = keyed('the same')
    const mine = await stage.web_api.get('create_user', { primary_key: 'same' }, key)
    const theirs = await createCaller(stage.serviceStack.web_api, other.api_key).get('create_user', {}, key)
    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(theirs.body).not.toEqual(mine.body)
  })
})

describe('stored data', () => {
  const database = () => openForTest(stage.serviceStack.database_urls.identity)

  test('a user is created once, even if the gateway crashed before the response was stored', async () => {
    const key = keyed(randomUUID())
    await using identity = database()
    const first = await stage.web_api.get('create_user', { primary_key: 'died' }, key)
    const { identifier } = z.object({ user: z.object({ identifier: z.string() }) }).parse(first.body).user
    const { command } = await identity.knex('stored_responses').where({ identifier }).first('command')
    await forgetResponses(identity.knex, { command })
    const claim = identity.knex('stored_responses').where({ command })
    await claim.clone().update({ claimed_until: identity.knex.raw(`now() + interval '1 minute'`) })
    expect(await stage.web_api.get('create_user', { primary_key: 'died' }, key)).toMatchObject(
      errorResponses.unavailable,
    )
    await claim.clone().update({ claimed_until: identity.knex.fn.now() })
    expect(toStatusAndBody(await stage.web_api.get('create_user', { primary_key: 'died' }, key))).toEqual(
      toStatusAndBody(first),
    )
  })

  test('a response of 5xx is not stored: the repeat runs', async () => {
    const identifier = await logInAs(stage, 'Jiro Sato')
    const key = keyed(randomUUID())
    await using profile = openForTest(stage.serviceStack.database_urls.profile)
    const { rows } = await profile.knex.raw(
      `select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
    )
    const tables: string[] = rows.map(({ tablename }: { tablename: string }) => tablename)
    for (const table of tables) await profile.knex.schema.renameTable(table, `${table}_away`)
    const request = () => stage.web_api.get('delete_profile', { identifier }, key)
    expect(await request()).toMatchObject(errorResponses.operation_failed)
    for (const table of tables) await profile.knex.schema.renameTable(`${table}_away`, table)
    expect(await request()).toMatchObject({ status: 200 })
  })

  test('a request that failed can be repeated soon, even if that could not be stored at once', async () => {
    await using identity = database()
    const { knex } = identity
    const request = () => stage.web_api.get('create_user', { primary_key: 'repeated-soon' }, keyed('repeated-soon'))
    const failing = await knex.transaction(async (trx) => {
      await trx.raw('lock table users in share row exclusive mode')
      const newest = knex('stored_responses').where({ site: stage.site.site }).orderBy('expires_at', 'desc')
      const before = await newest.clone().first('command')
      const failing = request()
      await expect.poll(() => newest.clone().first('command')).not.toEqual(before)
      const claim = await newest.clone().first('command')
      await knex('stored_responses')
        .where(claim)
        .update({ claimed_until: knex.raw(`now() + interval '1 minute'`) })
      await knex.schema.renameTable('stored_responses', 'stored_responses_away')
      expect(await failing).toMatchObject(errorResponses.unavailable)
      await knex.schema.renameTable('stored_responses_away', 'stored_responses')
      return failing
    })
    expect(failing).toMatchObject(errorResponses.unavailable)
    await expect.poll(request, { interval: 200 }).toMatchObject({ status: 200 })
  })

  test('stored responses are encrypted, and not used after a day', async () => {
    const key = keyed('a key that names its owner')
    await stage.web_api.get('create_user', { primary_key: 'canary-in-the-answer' }, key)
    await using identity = database()
    const rows = await identity.knex('stored_responses').select()
    const stored = rows.map((row) => `${JSON.stringify(row)}${Buffer.from(row.response ?? '', 'base64')}`).join()
    expect(stored).not.toContain('canary')
    expect(stored).not.toContain('names its owner')

    await identity.knex('stored_responses').update({ expires_at: identity.knex.fn.now() })
    const again = await stage.web_api.get('create_user', { primary_key: 'canary-in-the-answer' }, key)
    expect(again).toMatchObject(errorResponses.duplicated_primary_key)
  })
})
