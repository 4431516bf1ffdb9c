import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Managed, openManaged, type SendRequest } from './managed.ts'

let managed: Managed
let owner: SendRequest
let path: string
let account: string
let site: number
beforeAll(async () => {
  managed = await openManaged()
})
afterAll(() => managed[Symbol.asyncDispose]())
beforeEach(async () => {
  ;({ account, site, send: owner } = await managed.openShop())
  path = `/accounts/${account}/sites/shop/imports`
})

const start = async (options: object = {}): Promise<string> => {
  const { status, body } = await owner('POST', path, { file_name: 'users.ndjson', ...options })
  expect(status).toBe(200)
  return String(Reflect.get(Object(body), 'import_id'))
}
const send = (id: string, number: number, records: unknown[], firstLine = 1) =>
  owner('PUT', `${path}/${id}/batches/${number}`, { first_line: firstLine, records })
const find = async (id: string) => {
  const { identity, call } = managed.serviceStack
  return (await identity.findUsers({ site, id }, call())).users
}
const newKey = () => `key-${randomUUID()}`

test('an import counts its lines, names its rejected ones with field and reason, and ends', async () => {
  const [one, other] = [newKey(), newKey()]
  const id = await start()
  const records = [
    { primary_key: one },
    { primary_key: one },
    'not JSON',
    { primary_key: other, login_count: -1, nickname: 'x' },
    { created_at: '2999-01-01T00:00:00Z' },
  ]
  const sent = await send(id, 0, records)
  expect(sent).toMatchObject({
    status: 200,
    body: { state: 'running', next_batch: 1, created: 1, merged: 0, replaced: 0, skipped: 0, rejected: 4 },
  })
  expect(await find(one)).toHaveLength(1)
  expect(await find(other)).toEqual([])
  const { body } = await owner('GET', `${path}/${id}/rejections`)
  expect(body).toEqual({
    more: false,
    rejections: [
      { line: 2, problems: [expect.objectContaining({ field: '', reason: 'user_exists' })] },
      { line: 3, problems: [{ field: '', message: 'is not a line of JSON', reason: 'not_a_record', parameters: {} }] },
      {
        line: 4,
        problems: expect.arrayContaining([
          { field: 'login_count', message: 'must be at least 0', reason: 'too_small', parameters: { count: '0' } },
          { field: 'nickname', message: 'is not a known field', reason: 'unknown_field', parameters: {} },
        ]),
      },
      { line: 5, problems: [expect.objectContaining({ field: 'created_at', reason: 'in_the_future' })] },
    ],
  })
  expect(await owner('GET', `${path}/${id}/rejections?limit=1&after_line=2`)).toMatchObject({
    body: { more: true, rejections: [{ line: 3 }] },
  })
  expect(await owner('POST', `${path}/${id}/end`, {})).toMatchObject({ status: 200, body: { state: 'done' } })
  expect(await send(id, 1, [{}])).toMatchObject({ status: 409, body: { error: { reason: 'import_not_running' } } })
  expect(await owner('GET', path)).toMatchObject({ body: { imports: [{ import_id: id, state: 'done', created: 1 }] } })
})

test('a batch that is repeated counts once, and must have the same records', async () => {
  const key = newKey()
  const id = await start()
  await send(id, 1, [{}], 500)
  const repeated = await Promise.all([send(id, 0, [{ primary_key: key }]), send(id, 0, [{ primary_key: key }])])
  expect(repeated.map(({ status }) => status)).toEqual([200, 200])
  expect(await send(id, 0, [{ primary_key: key }])).toMatchObject({ body: { created: 2, rejected: 0, next_batch: 2 } })
  expect(await find(key)).toHaveLength(1)
  expect(await send(id, 0, [{ primary_key: newKey() }])).toMatchObject({
    status: 409,
    body: { error: { reason: 'import_batch_differs' } },
  })
})

test('a dry run reports the same and imports nothing', async () => {
  const key = newKey()
  const id = await start({ dry_run: true, conflict: 'skip' })
  expect(await send(id, 0, [{ primary_key: key }, { primary_key: key }])).toMatchObject({
    body: { dry_run: true, created: 1, skipped: 1 },
  })
  expect(await find(key)).toEqual([])
})

test('a batch that provider-auth imported is counted when it is sent again', async () => {
  const { knex } = managed
  const key = newKey()
  const id = await start()
  await knex.raw('alter table imports rename column created to created_away')
  try {
    expect((await send(id, 0, [{ primary_key: key }])).status).toBe(500)
  } finally {
    await knex.raw('alter table imports rename column created_away to created')
  }
  expect(await find(key)).toHaveLength(1)
  expect(await send(id, 0, [{ primary_key: key }])).toMatchObject({ body: { created: 1, rejected: 0, next_batch: 1 } })
  expect(await find(key)).toHaveLength(1)
})

test('imports need an owner, a confirmation to start, and are in the audit trail without the users', async () => {
  const editor = await managed.createClient(account, 'editor')
  const id = await start()
  expect((await editor('POST', path, { file_name: 'x' })).status).toBe(403)
  expect((await editor('PUT', `${path}/${id}/batches/0`, { first_line: 1, records: [{}] })).status).toBe(403)
  expect((await editor('GET', `${path}/${id}`)).status).toBe(200)
  expect(await managed.unconfirmed('POST', path, { file_name: 'x' })).toMatchObject({
    status: 403,
    body: { error: { name: 'passkey_required' } },
  })
  await send(id, 0, [{ primary_key: newKey() }])
  await owner('POST', `${path}/${id}/end`, { state: 'cancelled' })
  expect(await managed.findLastEntry(account)).toMatchObject({
    action: 'endImport',
    after: { import_id: id, state: 'cancelled', created: 1 },
  })
  const { body } = await managed.operator('GET', `/accounts/${account}/audit?limit=100`)
  expect(JSON.stringify(body)).not.toContain('key-')
})

test('invalid batches and imports of other sites are rejected', async () => {
  const id = await start()
  expect((await send(id, 0, [])).status).toBe(400)
  expect((await owner('PUT', `${path}/${id}/batches/x`, { first_line: 1, records: [{}] })).status).toBe(400)
  expect((await owner('GET', `${path}/${randomUUID()}`)).status).toBe(404)
  expect((await send(id, 0, [{ primary_key: 'x'.repeat(500_000) }])).status).toBe(400)
})
