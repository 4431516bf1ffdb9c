import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditRecord } from '#admin-api'
import { startReceiver } from '../../events/test/receiver.ts'
import { parseOtlpLogs, startOtlpReceiver } from './audit-receivers.ts'
import { openStreams, readRecords } from './audit-stream-client.ts'
import { type AdminClient, getFault, type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole()
})
afterAll(() => harness[Symbol.asyncDispose]())

/** An account with an owner who makes changes. */
async function openAccount(account: string) {
  const owner = await harness.createMemberClient({ roles: { [account]: 'owner' } })
  const listEntries = async () => {
    const { body } = await owner.send('GET', `/admin/v1/accounts/${account}/audit?limit=1000`)
    return (Reflect.get(Object(body), 'entries') as object[]).toReversed() // Oldest first.
  }
  return {
    owner,
    listEntries,
    streams: openStreams(owner, `/admin/v1/accounts/${account}/audit-streams`),
    change: (name: string) => issueToken(owner, account, name),
  }
}

async function issueToken(client: AdminClient, account: string, name: string) {
  const body = { name, role: 'viewer' }
  expect(await client.send('POST', `/admin/v1/accounts/${account}/tokens`, { body })).toMatchObject({ status: 200 })
}

/** A record without what the audit trail does not have. */
function toEntry({ record_id: _, part: __, sequence: ___, ...entry }: AuditRecord): object {
  return entry
}

test('a webhook receives what the audit trail shows, signed and without gaps, from its own creation on', async () => {
  await using receiver = await startReceiver()
  const { streams, change, owner, listEntries } = await openAccount('hooked')
  await change('earlier')
  const { stream, secret } = await streams.create({ kind: 'webhook', url: receiver.url })
  await change('later')
  await owner.send('DELETE', `/admin/v1/accounts/hooked/members/${owner.member_id}`)
  await expect.poll(() => receiver.received.length).toBe(3)
  await streams.whenSent(stream.stream_id)
  const verifier = new Webhook(secret ?? '')
  for (const { body, headers } of receiver.received) verifier.verify(body, headers as Record<string, string>)
  const records = readRecords(receiver.events())
  expect(records.map(toEntry)).toEqual((await listEntries()).slice(1))
  expect(records).toMatchObject([
    { action: 'createAuditStream', part: 'outcome', sequence: 1, outcome: 'succeeded' },
    { action: 'issueToken', sequence: 2, after: { name: 'later' } },
    { action: 'removeMember', sequence: 3, outcome: 'rejected', fault: 'conflict' },
  ])
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    records.map(({ record_id }) => record_id),
  )
  expect(await streams.read(stream.stream_id)).toMatchObject({
    sent: 3,
    backlog: 0,
    failing_since: null,
    last_error: null,
  })
})

test('a replaced secret of a webhook remains valid for a time', async () => {
  await using receiver = await startReceiver()
  const { streams, owner } = await openAccount('rolled')
  const { stream, secret } = await streams.create({ kind: 'webhook', url: receiver.url })
  const rolled = await owner.send('POST', `${streams.path}/${stream.stream_id}/secrets`, { body: { overlap_hours: 1 } })
  const second = Reflect.get(Object(rolled.body), 'secret')
  await expect.poll(() => receiver.events().at(-1)?.data.action).toBe('rollAuditStreamSecret')
  const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} }
  for (const valid of [secret, second]) new Webhook(valid).verify(body, headers as Record<string, string>)
  const trail = JSON.stringify(
    await harness.knex('audit_entries as e').leftJoin('audit_outcomes as x', 'x.entry', 'e.entry'),
  )
  for (const valid of [secret, second]) expect(trail).not.toContain(valid)
})

test('OTLP logs follow the mapping of Protocol Buffers, and carry the headers, which nothing else shows', async () => {
  await using receiver = await startOtlpReceiver()
  const { streams, change } = await openAccount('logged')
  const headers = { authorization: 'Bearer top-secret-key' }
  const { stream } = await streams.create({ kind: 'otlp', url: receiver.url, headers })
  await change('“x”')
  await streams.whenSent(stream.stream_id)
  const sent = receiver.received.flatMap(({ body }) => readLogRecords(parseOtlpLogs(body)))
  expect(sent.map(({ attributes }) => attributes['audit.action'])).toEqual(['createAuditStream', 'issueToken'])
  expect(sent[1]).toMatchObject({
    timeUnixNano: '1893456000000000000',
    severityText: 'INFO',
    attributes: { 'audit.sequence': '2', 'audit.account': 'logged', 'audit.outcome': 'succeeded' },
  })
  expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({ action: 'issueToken', after: { name: '“x”' } })
  expect(receiver.received[0]?.headers).toMatchObject(headers)
  const stored = [await harness.knex('audit_entries'), await harness.knex('audit_streams'), receiver.received[0]?.body]
  expect(JSON.stringify([stored, await streams.read(stream.stream_id)])).not.toContain('top-secret-key')
})

test('records that a receiver rejects are sent again, and the reason is shown without secrets', async () => {
  const rejection = { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'top-secret-key may not write' } }
  await using receiver = await startOtlpReceiver(() => ({ status: 200, body: JSON.stringify(rejection) }))
  const { streams } = await openAccount('partial')
  const headers = { authorization: 'Bearer top-secret-key' }
  const { stream } = await streams.create({ kind: 'otlp', url: receiver.url, headers })
  await expect
    .poll(() => streams.read(stream.stream_id))
    .toMatchObject({
      sent: 0,
      backlog: 1,
      failing_since: expect.any(String),
      last_error: { error: 'records_rejected', status: 200, detail: '••• may not write' },
    })
  receiver.answerWith(() => ({ status: 200 }))
  await streams.whenSent(stream.stream_id)
  const [first, last] = [receiver.received[0], receiver.received.at(-1)].map((request) =>
    readLogRecords(parseOtlpLogs(request?.body ?? '')),
  )
  expect(last?.map(({ body }) => body)).toEqual(first?.map(({ body }) => body))
  expect(await streams.read(stream.stream_id)).toMatchObject({
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
  })
})

test('a receiver that fails gets the records later, in their order, from the one it did not accept', async () => {
  const answers = [204, 500, 429, 204, 204]
  await using receiver = await startReceiver(() => ({ status: answers.shift() ?? 204, body: 'busy' }))
  const { streams, change } = await openAccount('failing')
  const { stream } = await streams.create({ kind: 'webhook', url: receiver.url })
  for (const name of ['a', 'b']) await change(name)
  await streams.whenSent(stream.stream_id)
  const accepted = new Map(readRecords(receiver.events()).map((record) => [record.record_id, record.sequence]))
  expect(readRecords(receiver.events()).map(({ sequence }) => sequence)).toEqual([1, 2, 2, 2, 3])
  expect([...accepted.values()]).toEqual([1, 2, 3])
})

test('a receiver that does not respond delays no other stream, and metrics show the backlog', async () => {
  await using silent = await startReceiver(() => undefined)
  await using receiver = await startReceiver()
  const { streams, change } = await openAccount('silent')
  await streams.create({ name: 'silent', kind: 'webhook', url: silent.url })
  await expect.poll(() => silent.received.length).toBe(1)
  const { stream } = await streams.create({ name: 'other', kind: 'webhook', url: receiver.url })
  await change('after')
  await streams.whenSent(stream.stream_id)
  expect(readRecords(receiver.events()).at(-1)).toMatchObject({ after: { name: 'after' } })
  expect(silent.received).toHaveLength(1)
  const metrics = async () => (await fetch(`http://localhost:${harness.replica.operations_port}/metrics`)).text()
  expect(await metrics()).toMatch(/sociallogin_audit_stream_records_total\{.*kind="webhook".*\} [1-9]/)
  expect(await metrics()).toContain('sociallogin_audit_stream_oldest_age_seconds{')
})

test('a secret that cannot be decrypted is named, and a new one helps', async () => {
  await using receiver = await startReceiver()
  const { streams, owner } = await openAccount('damaged')
  const { stream } = await streams.create({ kind: 'webhook', url: receiver.url, enabled: false })
  const ofStream = () => harness.knex('audit_stream_secrets').where({ stream_id: stream.stream_id })
  await ofStream().update({ secret_encrypted: Buffer.from('damaged') })
  expect(await streams.test(stream.stream_id)).toMatchObject({ body: { failure: { error: 'secret_unreadable' } } })
  await streams.change(stream.stream_id, { enabled: true })
  await expect.poll(async () => (await streams.read(stream.stream_id)).last_error?.error).toBe('secret_unreadable')
  const rolled = await owner.send('POST', `${streams.path}/${stream.stream_id}/secrets`, { body: { overlap_hours: 0 } })
  expect(rolled.status).toBe(200)
  await streams.whenSent(stream.stream_id)
})

test('a paused stream sends nothing, and then everything', async () => {
  await using receiver = await startReceiver()
  await using other = await startReceiver()
  const { streams, change } = await openAccount('paused')
  const { stream } = await streams.create({ kind: 'webhook', url: receiver.url, enabled: false })
  const running = await streams.create({ name: 'other', kind: 'webhook', url: other.url })
  await change('while paused')
  await streams.whenSent(running.stream.stream_id)
  expect(receiver.received).toEqual([])
  await streams.change(stream.stream_id, { enabled: true })
  await streams.whenSent(stream.stream_id)
  expect(readRecords(receiver.events()).map(({ action }) => action)).toEqual([
    'createAuditStream',
    'createAuditStream',
    'issueToken',
    'changeAuditStream',
  ])
})

test('a stream can begin with an earlier entry or time; that of the installation has all accounts', async () => {
  await using receiver = await startReceiver()
  const { change, listEntries } = await openAccount('history')
  for (const name of ['a', 'b']) await change(name)
  const [, second] = await listEntries()
  const operator = openStreams(await harness.createOperatorTokenClient(), '/admin/v1/audit-streams')
  const create = (name: string, from: object) => operator.create({ name, kind: 'webhook', url: receiver.url, ...from })
  const { stream } = await create('from entry', { from_entry: Reflect.get(second ?? {}, 'entry') })
  await operator.whenSent(stream.stream_id)
  expect(readRecords(receiver.events())[0]).toMatchObject({ account: 'history', after: { name: 'b' } })
  receiver.received.splice(0)
  await create('from time', { from_time: '2000-01-01T00:00:00Z' })
  const { count } = (await harness.knex('audit_entries').count().first()) ?? {}
  await expect.poll(() => new Set(readRecords(receiver.events()).map(({ entry }) => entry)).size).toBe(Number(count))
})

test('owners manage the streams of their account, with fields of their kind and public addresses', async () => {
  const { streams, owner } = await openAccount('owned')
  const editor = await harness.createTokenClient('owned', 'editor')
  expect(getFault(await editor.send('GET', streams.path))).toBe('not_allowed')
  expect(getFault(await owner.send('GET', '/admin/v1/audit-streams'))).toBe('not_allowed')
  const url = 'https://siem.example.com/'
  const create = (input: object) => owner.send('POST', streams.path, { body: { name: 'SIEM', ...input } })
  for (const [input, message] of [
    [{ kind: 'webhook' }, 'url is missing.'],
    [{ kind: 'webhook', url: 'https://10.0.0.1/' }, 'url must start with https:// and have a public address.'],
    [{ kind: 'webhook', url, port: 1 }, 'port is not a field of a stream of the kind webhook.'],
    [{ kind: 'syslog', host: '10.0.0.1' }, 'host must have a public address.'],
    [{ kind: 'syslog', host: 'siem.example.com', certificate: pem }, 'certificate must be a certificate in PEM.'],
    [
      { kind: 'otlp', url, from_entry: '1', from_time: '2030-01-01T00:00:00Z' },
      'from_entry cannot be combined with from_time: send one of them.',
    ],
  ] as const)
    expect(await create(input)).toMatchObject({ status: 400, body: { error: { message } } })
  const { stream } = await streams.create({ kind: 'otlp', url, headers: { 'x-key': 'secret' }, enabled: false })
  expect(getFault(await create({ kind: 'webhook', url }))).toBe('conflict')
  const moved = await streams.change(stream.stream_id, { url: 'https://evil.example.com/' })
  expect(moved).toMatchObject({ status: 400, body: { error: { field: 'headers' } } })
  const other = await openAccount('other')
  expect(getFault(await other.owner.send('GET', `${other.streams.path}/${stream.stream_id}`))).toBe('not_found')
  expect(await owner.send('DELETE', `${streams.path}/${stream.stream_id}`)).toMatchObject({ status: 200 })
  expect(await owner.send('GET', streams.path)).toMatchObject({ body: { streams: [] } })
})

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'

interface LogRecord {
  readonly timeUnixNano: string
  readonly severityText: string
  readonly body: string
  readonly attributes: Readonly<Record<string, string>>
}

/** The log records of a request. */
function readLogRecords(request: unknown): LogRecord[] {
  // As its descriptor says.
  const { resourceLogs } = request as {
    resourceLogs: {
      scopeLogs: {
        logRecords: (Omit<LogRecord, 'body' | 'attributes'> & {
          body: Value
          attributes: { key: string; value: Value }[]
        })[]
      }[]
    }[]
  }
  return resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map(({ body, attributes, ...record }) => ({
        ...record,
        body: toText(body),
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, toText(value)])),
      })),
    ),
  )
}

type Value = { readonly stringValue?: string; readonly intValue?: string }

const toText = ({ stringValue, intValue }: Value) => stringValue ?? intValue ?? ''
