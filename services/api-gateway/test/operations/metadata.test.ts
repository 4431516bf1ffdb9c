import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorEnvelope, errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, setStage } from '../stage.ts'

const stage = setStage()
const changedMeanwhile = errorEnvelope(412, 1006, 'Changed meanwhile.')
const tooLarge = errorEnvelope(400, 1012, 'Metadata too large.')

const read = async (identifier: string) => (await stage.web_api.get('metadata', { identifier })).body
const update = (identifier: string, parameters: Record<string, string>) =>
  stage.web_api.post('update_metadata', { identifier, ...parameters })

test('a new user has empty metadata with revision 0, found by either ID', async () => {
  const primaryKey = randomUUID()
  const identifier = await createTestUser(stage.web_api, { primary_key: primaryKey })
  const empty = { status: 'ok', identifier, user_metadata: {}, app_metadata: {}, revision: 0 }
  expect(await read(identifier)).toEqual(empty)
  expect((await stage.web_api.get('metadata', { primary_key: primaryKey })).body).toEqual(empty)
})

test('a change patches the sent part by RFC 7396: null deletes, objects are patched, arrays are replaced', async () => {
  const identifier = await createTestUser(stage.web_api)
  await update(identifier, {
    user_metadata: '{"language":"ja","size":{"shoe":25.5,"hat":58},"tags":["a","b"]}',
    app_metadata: '{"plan":"free"}',
  })
  const patch = '{"language":null,"size":{"hat":null,"coat":"M"},"tags":["c"],"note":{"text":"寿司","empty":null}}'
  const user = { size: { shoe: 25.5, coat: 'M' }, tags: ['c'], note: { text: '寿司' } }
  const after = { status: 'ok', identifier, user_metadata: user, app_metadata: { plan: 'free' }, revision: 2 }
  expect((await update(identifier, { user_metadata: patch })).body).toEqual(after)
  expect(await read(identifier)).toEqual(after)
})

test('replace sets exactly the sent part, and the same value again is no change', async () => {
  const identifier = await createTestUser(stage.web_api)
  await update(identifier, { user_metadata: '{"a":1}', app_metadata: '{"b":2}' })
  const replaced = { user_metadata: { c: 3 }, app_metadata: { b: 2 }, revision: 2 }
  for (const _ of [1, 2])
    expect((await update(identifier, { user_metadata: '{"c":3}', replace: 'true' })).body).toMatchObject(replaced)
})

test('412/1006 for a change of an older revision: of concurrent changes of one revision, one takes effect', async () => {
  const identifier = await createTestUser(stage.web_api)
  const changes = ['a', 'b', 'c'].map((name) => update(identifier, { app_metadata: `{"${name}":1}`, revision: '0' }))
  const responses = await Promise.all(changes)
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  expect(await update(identifier, { app_metadata: '{"d":1}', revision: '0' })).toMatchObject(changedMeanwhile)
  expect(await read(identifier)).toMatchObject({ revision: 1 })
})

test('400/1012 if both parts together have more than 8192 bytes of UTF-8, and nothing changes', async () => {
  const identifier = await createTestUser(stage.web_api)
  // {"t":"…"} and {} have 10 bytes without the text.
  const textOf = (length: number) => JSON.stringify({ t: 'x'.repeat(length) })
  expect(await update(identifier, { user_metadata: textOf(8_182) })).toMatchObject({ status: 200 })
  expect(await update(identifier, { user_metadata: textOf(8_183) })).toMatchObject(tooLarge)
  expect(await update(identifier, { app_metadata: '{"a":1}' })).toMatchObject(tooLarge)
  const other = await createTestUser(stage.web_api)
  expect(await update(other, { user_metadata: JSON.stringify({ t: '寿'.repeat(1_000) }) })).toMatchObject({
    status: 200,
  })
  expect(await update(other, { app_metadata: JSON.stringify({ t: 'x'.repeat(5_182) }) })).toMatchObject(tooLarge)
  expect(await read(identifier)).toMatchObject({ app_metadata: {}, revision: 1 })
})

test.each([
  '{',
  '[]',
  '"text"',
  'null',
  '{"a":9007199254740993}',
  '{"a":9007199254740992}',
  '{"a":0.12345678901234567}',
  '{"a":1e400}',
  '{"a":"\\u0000"}',
  '{"\\ud800":1}',
  '{"__proto__":{"admin":true}}',
  '{"a":{"__proto__":1}}',
  `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
])('400/6 for metadata that cannot be stored exactly: %s', async (text) => {
  const identifier = await createTestUser(stage.web_api)
  expect(await update(identifier, { app_metadata: text })).toMatchObject({
    ...errorResponses.invalid_parameter,
    body: { error: { reason: 'wrong_format', parameter: 'app_metadata' } },
  })
  expect(await read(identifier)).toMatchObject({ revision: 0 })
})

test.each([
  '{"a":-0.5,"b":1e-7,"c":1.50,"d":100,"e":1E2,"f":9007199254740991}',
  `${'{"a":'.repeat(8)}1${'}'.repeat(8)}`,
])('exact values are stored as they are: %s', async (text) => {
  const identifier = await createTestUser(stage.web_api)
  await update(identifier, { user_metadata: text })
  expect(await read(identifier)).toMatchObject({ user_metadata: JSON.parse(text) })
})

test('404/7 for an unknown user', async () => {
  expect(await stage.web_api.get('metadata', { identifier: unknownIdentifier })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await update(unknownIdentifier, { app_metadata: '{}' })).toMatchObject(errorResponses.entity_not_found)
})

test('a merge adds the members of the source that the destination does not have, with an event', async () => {
  const [source, destination] = [await createTestUser(stage.web_api), await createTestUser(stage.web_api)]
  await update(source, { user_metadata: '{"a":{"x":1},"b":1}', app_metadata: '{"plan":"premium"}' })
  await update(destination, { user_metadata: '{"a":{"y":2}}', app_metadata: '{"plan":"free"}' })
  await stage.web_api.post('merge_user', { source_identifier: source, dest_identifier: destination })
  const merged = { user_metadata: { a: { y: 2 }, b: 1 }, app_metadata: { plan: 'free' }, revision: 2 }
  expect(await read(destination)).toMatchObject(merged)
  const event = { types: 'user.metadata_changed', identifier: destination, wait: '10' }
  await expect
    .poll(async () => (await stage.web_api.get('events', event)).body)
    .toMatchObject({ events: [{ data: { revision: 1 } }, { data: merged }] })
})

test('metadata is deleted with its user, also in earlier events and in the response for a repeat', async () => {
  const identifier = await createTestUser(stage.web_api)
  const change = { identifier, user_metadata: '{"secret":"s"}' }
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const repeat = () => stage.web_api.get('update_metadata', change, options)
  expect(await repeat()).toMatchObject({ status: 200 })
  await stage.web_api.post('delete_user', { identifier })
  expect(await stage.web_api.get('metadata', { identifier })).toMatchObject(errorResponses.entity_not_found)
  expect(await repeat()).toMatchObject(errorResponses.entity_not_found)
  await expect
    .poll(async () => JSON.stringify((await stage.web_api.get('events', { identifier })).body))
    .toMatch(/^(?=.*user\.deleted)(?!.*secret)/)
})
