import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { providerNames, toEventObject } from '#contracts'
import { createEncryptor, createLogger, EncryptionKeys, openKeyRing, toTimestamp } from '#runtime'
import { openForTest, patientCall } from '#testing'
import { reencryptSecrets } from '../delivery/reencrypt-secrets.ts'
import { decryptSecrets } from '../delivery/secrets.ts'
import { selectEndpoints } from '../store/webhook-endpoints.ts'
import { openEndpoint } from './endpoint.ts'
import { openStream } from './harness.ts'
import { type ReceivedWebhook, startReceiver } from './receiver.ts'

/** As a receiver that uses the library of Standard Webhooks. */
function verifyByLibrary({ headers, body }: ReceivedWebhook, secret: string): unknown {
  // The library reads three headers, which have one value each.
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

test('an endpoint receives the events that follow its creation, as the stream has them, with signatures that the library verifies', async () => {
  await using endpoint = await openEndpoint()
  const { receiver, stream, verification_key } = endpoint
  await endpoint.createUser()
  await expect.poll(() => receiver.received.length).toBe(2)
  const all = await stream.readAll()
  const verified = receiver.received.map((webhook) => verifyByLibrary(webhook, verification_key))
  const { stream: numbering } = await endpoint.events.readPosition({ site: endpoint.site }, endpoint.call())
  const shown = all.map((event) => toEventObject(event, endpoint.names, numbering, providerNames()))
  expect(verified).toEqual(expect.arrayContaining(shown))
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids)).toEqual(new Set(all.map(({ id }) => id)))
  await expect.poll(async () => (await endpoint.listDeliveries()).length).toBe(2)
  for (const { status, attempts, next_attempt_at } of await endpoint.listDeliveries()) {
    expect([status, attempts.length, next_attempt_at]).toEqual(['delivered', 1, null])
    expect(attempts[0]).toMatchObject({ status: 204, error: null, response: null })
  }
  expect(await endpoint.read()).toMatchObject({ backlog: 0, waiting: 0, failing_since: null })
})

test('an endpoint receives only its types of events', async () => {
  await using endpoint = await openEndpoint({ types: ['user.mapped'] })
  await endpoint.createUser()
  await endpoint.createUser()
  await expect.poll(() => endpoint.receiver.received.length).toBe(2)
  await expect.poll(async () => (await endpoint.read()).backlog).toBe(0)
  expect(endpoint.receiver.events().map(({ type }) => type)).toEqual(['user.mapped', 'user.mapped'])
})

test('v1a signatures verify with the public key', async () => {
  await using endpoint = await openEndpoint({ signature: 'v1a' })
  expect((await endpoint.read()).public_key).toBe(endpoint.verification_key)
  await endpoint.createUser()
  await expect.poll(() => endpoint.receiver.received.length).toBe(2)
  const x = Buffer.from(endpoint.verification_key.replace('whpk_', ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  for (const { headers, body } of endpoint.receiver.received) {
    const [version, signature = ''] = String(headers['webhook-signature']).split(',')
    const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    expect([version, verify(null, signed, key, Buffer.from(signature, 'base64'))]).toEqual(['v1a', true])
  }
})

test('a roll-over signs with the new secret and, while it overlaps, with the old one', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  const { events, call, key, receiver, verification_key: old } = endpoint
  const roll = async (overlapHours: number) =>
    String((await events.rollEndpointSecret({ ...key, overlap_hours: overlapHours }, call())).secret)
  const second = await roll(24)
  await endpoint.createUser()
  await expect.poll(() => receiver.received.length).toBe(1)
  const [first] = receiver.received
  for (const secret of [old, second])
    expect(first && verifyByLibrary(first, secret)).toMatchObject({ type: 'user.created' })
  expect((await endpoint.read()).secrets).toHaveLength(2)
  const third = await roll(0)
  await endpoint.createUser()
  await expect.poll(() => receiver.received.length).toBe(2)
  const [, last] = receiver.received
  expect(last && verifyByLibrary(last, third)).toMatchObject({ type: 'user.created' })
  expect(() => last && verifyByLibrary(last, second)).toThrow('No matching signature')
  expect((await endpoint.read()).secrets).toHaveLength(1)
})

test('a failed attempt is repeated with the same ID, and both attempts are in the log', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  const { receiver } = endpoint
  receiver.answerWith(() => ({ status: 500, body: 'broken' }))
  await endpoint.createUser()
  await expect.poll(async () => (await endpoint.listDeliveries())[0]?.attempts).toHaveLength(1)
  const [waiting] = await endpoint.listDeliveries()
  expect(waiting).toMatchObject({ status: 'waiting', next_attempt_at: expect.any(String) })
  expect(waiting?.attempts[0]).toMatchObject({ status: 500, response: 'broken' })
  expect(await endpoint.read()).toMatchObject({ waiting: 1, failing_since: expect.any(String) })
  receiver.answerWith(() => ({ status: 200 }))
  await expect.poll(() => receiver.received.length).toBe(2)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  await expect.poll(async () => (await endpoint.listDeliveries())[0]?.status).toBe('delivered')
  expect(await endpoint.read()).toMatchObject({ waiting: 0, failing_since: null })
})

test('an ordered endpoint receives an event only after all earlier ones of its user; other users do not wait', async () => {
  await using endpoint = await openEndpoint({ ordered: true })
  const { receiver } = endpoint
  let blocked = ''
  receiver.answerWith(({ body }) => {
    const { type, user } = JSON.parse(body)
    if (type === 'user.created' && blocked === '') blocked = user.identifier
    return { status: user.identifier === blocked ? 503 : 200 }
  })
  const first = await endpoint.createUser()
  await expect.poll(() => blocked).toBe(first)
  const second = await endpoint.createUser()
  const delivered = () => receiver.events().filter(({ user }) => user.identifier === second)
  await expect.poll(() => delivered().map(({ type }) => type)).toEqual(['user.created', 'user.mapped'])
  const ofFirst = () => receiver.events().filter(({ user }) => user.identifier === first)
  expect(new Set(ofFirst().map(({ type }) => type))).toEqual(new Set(['user.created']))
  receiver.answerWith(() => ({ status: 200 }))
  await expect.poll(() => ofFirst().at(-1)?.type).toBe('user.mapped')
  await expect.poll(async () => (await endpoint.read()).waiting).toBe(0)
})

test('of a thousand endpoints, one that does not answer delays no other', async () => {
  await using receiver = await startReceiver()
  await using hanging = await startReceiver(() => undefined)
  const streams: Awaited<ReturnType<typeof openStream>>[] = []
  for (let n = 0; n < 100; n++) streams.push(await openStream())
  for (const [index, { stack, site, siteId }] of streams.entries()) {
    const create = (endpoint: number) => {
      const url = index === 0 && endpoint === 0 ? hanging.url : `${receiver.url}/${endpoint}`
      const settings = { name: `shop ${endpoint}`, types: ['user.created' as const], signature: 'v1' as const }
      const key = { site, account: 'test', site_id: siteId }
      return stack.events.createEndpoint({ ...key, ...settings, url, ordered: false, enabled: true }, patientCall())
    }
    // Those of one site wait for each other, on a slow machine longer than a lock may last.
    for (let endpoint = 0; endpoint < 10; endpoint++) await create(endpoint)
  }
  for (const { stack, site } of streams)
    await stack.identity.createUser({ site, primary_key: randomUUID(), links: [] }, patientCall())
  // Some can get it twice: if an answer was late, it is sent again.
  const reached = () => new Set(receiver.received.map(({ path, body }) => `${JSON.parse(body).site_id}${path}`))
  await expect.poll(() => reached().size).toBe(999)
  expect(hanging.received).not.toHaveLength(0)
})

test('an endpoint is sent to although the replica that leased it never learned of its lease', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  await endpoint.createUser()
  await using database = openForTest(endpoint.stream.stack.database_urls.events)
  const row = () => database.knex('webhook_endpoints').where(endpoint.key)
  await expect.poll(() => endpoint.receiver.received.length).toBe(1)
  await expect.poll(async () => (await row().first()).leased_until).toBeNull()
  // The lease of the same replica, as if the connection broke before its answer.
  await row().update({ leased_until: database.knex.raw("now() + interval '20 seconds'") })
  await endpoint.createUser()
  await expect.poll(() => endpoint.receiver.received.length).toBe(2)
})

test('an endpoint that fails for three days is paused', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  endpoint.receiver.answerWith(() => ({ status: 500 }))
  await endpoint.createUser()
  await expect.poll(async () => (await endpoint.listDeliveries())[0]?.attempts).toHaveLength(1)
  await using database = openForTest(endpoint.stream.stack.database_urls.events)
  const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000)
  const attempts = [{ at: toTimestamp(threeDaysAgo), duration_ms: 1, status: 500, error: null, response: '' }]
  await database.knex('webhook_endpoints').where(endpoint.key).update({ failing_since: threeDaysAgo })
  await database
    .knex('webhook_deliveries')
    .where(endpoint.key)
    .update({ attempts: JSON.stringify(attempts), tries: 12, next_attempt_at: database.knex.fn.now() })
  await expect.poll(async () => (await endpoint.read()).paused_because).toBe('failing')
  expect(await endpoint.listDeliveries()).toMatchObject([{ status: 'failed', next_attempt_at: null }])

  endpoint.receiver.answerWith(() => ({ status: 200 }))
  expect(await endpoint.change({ enabled: true })).toMatchObject({ paused_because: null, failing_since: null })
  const { events, call, key } = endpoint
  expect(await events.replayDeliveries({ ...key, selection: { failed: true } }, call())).toEqual({ planned: 1 })
  await expect.poll(async () => (await endpoint.listDeliveries())[0]?.status).toBe('delivered')
})

test('responses to events of a deleted user are deleted', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  endpoint.receiver.answerWith(() => ({ status: 500, body: 'Hanako is unknown' }))
  const identifier = await endpoint.createUser()
  const readResponse = async () => (await endpoint.listDeliveries())[0]?.attempts[0]?.response
  await expect.poll(readResponse).toBe('Hanako is unknown')
  await endpoint.stream.stack.identity.deleteUser({ site: endpoint.site, identifier }, endpoint.call())
  await expect.poll(readResponse).toBeNull()
})

test('the response of a request that runs while its user is deleted is not stored', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  const { promise: answer, resolve } = Promise.withResolvers<{ status: number; body: string }>()
  endpoint.receiver.answerWith(() => answer)
  const identifier = await endpoint.createUser()
  await expect.poll(() => endpoint.receiver.received.length).toBe(1)
  await endpoint.stream.stack.identity.deleteUser({ site: endpoint.site, identifier }, endpoint.call())
  await endpoint.stream.readUntil('user.deleted')
  resolve({ status: 500, body: 'Hanako is unknown' })
  await expect.poll(async () => (await endpoint.listDeliveries())[0]?.attempts).toHaveLength(1)
  expect((await endpoint.listDeliveries())[0]?.attempts).toMatchObject([{ status: 500, response: null }])
})

test('secrets are encrypted again with the current key', async () => {
  await using endpoint = await openEndpoint()
  const { stream, key, verification_key } = endpoint
  await using database = openForTest(stream.stack.database_urls.events)
  const ring = `next:${randomBytes(32).toString('base64')},${stream.stack.encryption_keys}`
  const logger = createLogger('test', 'silent')
  using encryptor = await createEncryptor(openKeyRing({ ENCRYPTION_KEYS: EncryptionKeys.parse(ring) }, logger))
  // The services of the stack do not have the key.
  const trx = await database.knex.transaction()
  try {
    await reencryptSecrets({ knex: trx, encryptor })
    const [endpointAfter] = await selectEndpoints(trx, key)
    const [secret] = endpointAfter?.secrets ?? []
    expect(secret?.secret_encrypted.subarray(0, encryptor.head().length)).toEqual(encryptor.head())
    expect(await decryptSecrets({ secrets: endpointAfter?.secrets ?? [] }, encryptor)).toEqual([verification_key])
  } finally {
    await trx.rollback()
  }
})

test('events of a paused endpoint wait, and are sent when it is enabled', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  await endpoint.change({ enabled: false })
  await endpoint.createUser()
  await endpoint.stream.readUntil('user.mapped')
  expect(await endpoint.read()).toMatchObject({ enabled: false, backlog: 2 })
  expect(endpoint.receiver.received).toEqual([])
  await endpoint.change({ enabled: true })
  await expect.poll(() => endpoint.receiver.received.length).toBe(1)
})

test('a response 410 pauses the endpoint', async () => {
  await using endpoint = await openEndpoint()
  endpoint.receiver.answerWith(() => ({ status: 410 }))
  await endpoint.createUser()
  await expect.poll(async () => (await endpoint.read()).paused_because).toBe('gone')
  expect((await endpoint.change({ enabled: true })).paused_because).toBeNull()
})

test('events are sent again: single ones, those of a period', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  const { events, call, key, receiver } = endpoint
  await endpoint.createUser()
  await endpoint.createUser()
  await expect.poll(async () => (await endpoint.listDeliveries()).length).toBe(2)
  const [first = ''] = receiver.received.map(({ headers }) => String(headers['webhook-id']))
  const replay = (selection: Parameters<typeof events.replayDeliveries>[0]['selection']) =>
    events.replayDeliveries({ ...key, selection }, call())
  expect(await replay({ event_ids: [first] })).toEqual({ planned: 1 })
  await expect.poll(() => receiver.received.at(-1)?.headers['webhook-id']).toBe(first)
  await expect.poll(async () => (await endpoint.read()).waiting).toBe(0)
  expect(await replay({ from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' })).toEqual({ planned: 2 })
  await expect.poll(() => receiver.received.length).toBe(5)
  expect(await replay({ failed: true })).toEqual({ planned: 0 })
})

test('a test event returns the attempt at once, also of a paused endpoint', async () => {
  await using endpoint = await openEndpoint()
  const { events, call, key, receiver, verification_key } = endpoint
  await endpoint.change({ enabled: false })
  receiver.answerWith(() => ({ status: 418, body: 'teapot' }))
  expect(await events.testEndpoint(key, call())).toMatchObject({ status: 418, error: null, response: 'teapot' })
  const [webhook] = receiver.received
  expect(webhook && verifyByLibrary(webhook, verification_key)).toMatchObject({ type: 'webhook.test', data: {} })
})

test('names are unique in a site, a site has at most ten endpoints, and addresses must be allowed', async () => {
  await using endpoint = await openEndpoint()
  const { events, call, site, names, settings } = endpoint
  const create = (changes: Partial<typeof settings>) =>
    events.createEndpoint({ site, ...names, ...settings, ...changes }, call())
  await expect(create({})).rejects.toMatchObject({ fault: 'already_exists' })
  await expect(create({ name: 'other', url: 'http://10.0.0.1/' })).rejects.toMatchObject({
    fault: 'invalid_parameter',
    fields: [{ field: 'url', reason: 'must start with https:// and have a public address' }],
  })
  for (let n = 1; n < 10; n++) await create({ name: `endpoint ${n}` })
  await expect(create({ name: 'one more' })).rejects.toMatchObject({ fault: 'invalid_parameter' })
  await events.removeEndpoint(endpoint.key, call())
  await expect(endpoint.read()).rejects.toMatchObject({ fault: 'entity_not_found' })
})

test('a changed endpoint must have the expected revision', async () => {
  await using endpoint = await openEndpoint()
  const { events, call, key } = endpoint
  const stale = { ...key, expected_revision: 99, name: 'renamed' }
  await expect(events.changeEndpoint(stale, call())).rejects.toMatchObject({ fault: 'changed_meanwhile' })
  expect(await endpoint.change({ name: 'renamed' })).toMatchObject({ name: 'renamed', revision: 2 })
})
