import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditRecord } from '#admin-api'
import { createAuthority } from '../../../testing/certificates.ts'
import { startSyslogServer } from './audit-receivers.ts'
import { openStreams } from './audit-stream-client.ts'
import { getFault, type Harness, startConsole } from './harness.ts'

let harness: Harness
let directory: string
let server: { readonly cert: string; readonly key: string }
let client: { readonly certificate: string; readonly private_key: string }
let ca: string
beforeAll(async () => {
  harness = await startConsole({ environment: { WEBHOOK_PRIVATE_ADDRESSES: undefined } })
  directory = await mkdtemp(join(tmpdir(), 'social-login-syslog-'))
  const authority = createAuthority(directory)
  const read = (path: string) => readFile(path, 'utf8')
  const ofServer = authority.certify('localhost')
  const ofClient = authority.certify('console')
  ca = await read(authority.ca_file)
  server = { cert: await read(ofServer.cert_file), key: await read(ofServer.key_file) }
  client = { certificate: await read(ofClient.cert_file), private_key: await read(ofClient.key_file) }
})
afterAll(async () => {
  await harness[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

/** The streams of the whole installation, and an account whose owner makes changes. */
async function openInstallation(account: string) {
  const streams = openStreams(await harness.createOperatorTokenClient(), '/admin/v1/audit-streams')
  const owner = await harness.createMemberClient({ name: `"O\\[k]" ${account} 山`, roles: { [account]: 'owner' } })
  const change = () =>
    owner.send('POST', `/admin/v1/accounts/${account}/tokens`, { body: { name: '山', role: 'viewer' } })
  return { streams, owner, change }
}

test('syslog messages arrive over TLS with a client certificate, as a foreign parser reads them', async () => {
  await using receiver = await startSyslogServer({ ...server, ca, requestCert: true, rejectUnauthorized: true })
  const { streams, owner, change } = await openInstallation('syslog')
  const { stream } = await streams.create({
    name: 'mutual',
    kind: 'syslog',
    host: 'localhost',
    port: receiver.port,
    ca_certificate: ca,
    ...client,
  })
  await change()
  await streams.whenSent(stream.stream_id)
  const [created, issued] = receiver.messages
  expect(created).toMatchObject({ msgID: 'createInstallationAuditStream', facility: 'audit', appName: 'social-login' })
  expect(issued).toMatchObject({
    msgID: 'issueToken',
    severity: 'info',
    host: 'localhost',
    structuredData: {
      'audit@32473': { sequence: '2', account: 'syslog', actor: '"O\\[k]" syslog 山', outcome: 'succeeded' },
    },
  })
  const record: AuditRecord = JSON.parse(issued?.message ?? '')
  expect(record).toMatchObject({ member_id: owner.member_id, after: { name: '山' } })
  const stored = JSON.stringify([await harness.knex('audit_entries'), await harness.knex('audit_outcomes')])
  expect(stored).not.toContain('PRIVATE KEY')
})

test('a receiver with an untrusted certificate is named as such, and gets the records once it is trusted', async () => {
  await using receiver = await startSyslogServer(server)
  const { streams, change } = await openInstallation('untrusted')
  const settings = { name: 'untrusted', kind: 'syslog', host: 'localhost', port: receiver.port }
  const { stream } = await streams.create(settings)
  await change()
  await expect
    .poll(async () => (await streams.read(stream.stream_id)).last_error)
    .toMatchObject({ error: 'certificate', detail: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) })
  expect(receiver.messages).toEqual([])
  await streams.change(stream.stream_id, { ca_certificate: ca })
  await streams.whenSent(stream.stream_id)
  expect(receiver.messages.at(-1)).toMatchObject({ msgID: 'changeInstallationAuditStream' })
})

test('records count as sent only if the receiver read all of them', async () => {
  await using receiver = await startSyslogServer({ ...server, handle: (socket) => socket.destroy() })
  const { streams } = await openInstallation('dropped')
  const settings = { name: 'dropped', kind: 'syslog', host: 'localhost', port: receiver.port, ca_certificate: ca }
  const { stream } = await streams.create(settings)
  await expect.poll(async () => (await streams.read(stream.stream_id)).failing_since).not.toBeNull()
  const failed = await streams.read(stream.stream_id)
  expect(failed).toMatchObject({ sent: 0, last_error: { error: expect.stringMatching(/network|not_confirmed/) } })
  receiver.state.handle = undefined
  await streams.whenSent(stream.stream_id)
  expect(receiver.messages[0]).toMatchObject({ structuredData: { 'audit@32473': { sequence: '1' } } })
})

test('a receiver without a client certificate that it requires refuses, and the reason is shown', async () => {
  await using receiver = await startSyslogServer({ ...server, ca, requestCert: true, rejectUnauthorized: true })
  const { streams } = await openInstallation('refused')
  const settings = { name: 'refused', kind: 'syslog', host: 'localhost', port: receiver.port, ca_certificate: ca }
  const { stream } = await streams.create(settings)
  expect(await streams.test(stream.stream_id)).toMatchObject({
    body: { failure: { error: 'tls', detail: expect.stringContaining('ALERT') } },
  })
})

test('the key must be that of the certificate', async () => {
  const { streams } = await openInstallation('keys')
  const operator = await harness.createOperatorTokenClient()
  const body = { name: 'k', kind: 'syslog', host: 'localhost', ...client, private_key: server.key }
  const rejected = await operator.send('POST', streams.path, { body })
  expect(rejected).toMatchObject({ status: 400, body: { error: { field: 'private_key' } } })
  expect(getFault(rejected)).toBe('invalid_request')
})

test('the stream of an account does not connect to a name with a private address; a test shows why', async () => {
  await using receiver = await startSyslogServer(server)
  const owner = await harness.createMemberClient({ roles: { outside: 'owner' } })
  const streams = openStreams(owner, '/admin/v1/accounts/outside/audit-streams')
  const settings = { kind: 'syslog', host: 'localhost', port: receiver.port, ca_certificate: ca }
  const { stream } = await streams.create(settings)
  expect(await streams.test(stream.stream_id)).toMatchObject({ body: { failure: { error: 'address_blocked' } } })
  expect(receiver.state.connections).toBe(0)
  const hook = await streams.create({ name: 'hook', kind: 'webhook', url: `https://localhost:${receiver.port}/` })
  expect(await streams.test(hook.stream.stream_id)).toMatchObject({ body: { failure: { error: 'address_blocked' } } })
  expect(receiver.state.connections).toBe(0)
})

test('a test record reaches the receiver, and is not in the audit trail', async () => {
  await using receiver = await startSyslogServer(server)
  const { streams } = await openInstallation('tested')
  const settings = { name: 'tested', kind: 'syslog', host: 'localhost', port: receiver.port, ca_certificate: ca }
  const { stream } = await streams.create({ ...settings, enabled: false })
  expect(await streams.test(stream.stream_id)).toMatchObject({ body: { failure: null } })
  expect(receiver.messages.map(({ message }) => JSON.parse(message))).toMatchObject([{ part: 'test', sequence: 0 }])
  expect(await streams.read(stream.stream_id)).toMatchObject({ sent: 0, failing_since: null })
})
