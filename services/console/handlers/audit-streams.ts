import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { z } from 'zod'
import { type AdminApi, type AuditStream, type auditStreamProcedures, createReason } from '#admin-api'
import { limits } from '#contracts'
import { transaction, translateConstraintErrors } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { createWebhookSecret } from '#webhooks'
import { AdminFault } from '../admin-fault.ts'
import { rejectField, resolveDestination } from '../audit-streams/destination.ts'
import { createTestRecord } from '../audit-streams/records.ts'
import { encryptStreamSecret, openStreamSecrets } from '../audit-streams/secrets.ts'
import { unreadable } from '../audit-streams/send-records.ts'
import type { Deps } from '../deps.ts'
import { findCursor, placeAllAuditRecords } from '../store/audit-records.ts'
import { findStreamToTest } from '../store/audit-stream-leases.ts'
import { deleteAuditStreamSecrets, insertAuditStreamSecret } from '../store/audit-stream-secrets.ts'
import {
  countAuditStreams,
  deleteAuditStream,
  insertAuditStream,
  lockAuditStream,
  type StoredStream,
  type StreamKey,
  type StreamScope,
  selectAuditStreams,
  updateAuditStream,
} from '../store/audit-streams.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { requireAccount } from './resolve-account.ts'
import { toConflict, translateFaults } from './resolve-site.ts'

type Input<N extends keyof typeof auditStreamProcedures> = z.output<AdminApi[N]['input']>
type Versioned = Actor & { readonly expected_revision: number }

const installation: StreamScope = { account: null }

/** Streams of the audit trail of accounts, and of the whole installation. */
export const auditStreamHandlers = {
  listAuditStreams: ({ account }, deps) => listStreams({ account }, deps),
  async createAuditStream({ account, ...input }, deps, actor) {
    await requireAccount(account, deps, actor)
    return createStream({ account }, input, deps, actor)
  },
  readAuditStream: (key, { knex }) => findStream(knex, key),
  changeAuditStream: ({ account, stream_id, ...input }, deps, actor) =>
    changeStream({ account, stream_id }, input, deps, actor),
  removeAuditStream: (key, deps, actor) => removeStream(key, deps, actor),
  rollAuditStreamSecret: ({ overlap_hours, ...key }, deps, actor) => rollSecret(key, overlap_hours, deps, actor),
  testAuditStream: (key, deps, actor) => testStream(key, deps, actor),

  listInstallationAuditStreams: (_, deps) => listStreams(installation, deps),
  createInstallationAuditStream: (input, deps, actor) => createStream(installation, input, deps, actor),
  readInstallationAuditStream: ({ stream_id }, { knex }) => findStream(knex, { account: null, stream_id }),
  changeInstallationAuditStream: ({ stream_id, ...input }, deps, actor) =>
    changeStream({ account: null, stream_id }, input, deps, actor),
  removeInstallationAuditStream: ({ stream_id }, deps, actor) =>
    removeStream({ account: null, stream_id }, deps, actor),
  rollInstallationAuditStreamSecret: ({ stream_id, overlap_hours }, deps, actor) =>
    rollSecret({ account: null, stream_id }, overlap_hours, deps, actor),
  testInstallationAuditStream: ({ stream_id }, deps, actor) => testStream({ account: null, stream_id }, deps, actor),
} satisfies AdminHandlers<keyof typeof auditStreamProcedures>

async function listStreams(scope: StreamScope, { knex }: Pick<Deps, 'knex'>) {
  return { streams: (await selectAuditStreams(knex, scope)).map(toStream) }
}

async function createStream(
  { account }: StreamScope,
  { name, kind, enabled, from_time, from_entry, ...fields }: Input<'createInstallationAuditStream'>,
  { knex, encryptor, streamRules }: Deps,
  { auditIn }: Actor,
) {
  if (from_time !== undefined && from_entry !== undefined)
    throw rejectField('from_entry', createReason('one_beginning'))
  const { destination, secret } = resolveDestination({ account, kind }, fields, streamRules)
  const key = { account, stream_id: randomUUID() }
  return transaction(knex, async (trx) => {
    const newest = await placeAllAuditRecords(trx)
    if ((await countAuditStreams(trx, { account })) >= limits.audit_streams)
      throw rejectField('name', createReason('too_many_streams', { count: String(limits.audit_streams) }))
    const cursor = (await findCursor(trx, { time: from_time, entry: from_entry })) ?? newest
    await rejectKnownName(insertAuditStream(trx, { ...key, name, kind, enabled, destination, cursor }))
    const issued = kind === 'webhook' ? createWebhookSecret('v1') : null
    const stored = issued ?? secret
    if (stored) await insertAuditStreamSecret(trx, key.stream_id, encryptStreamSecret(encryptor, stored), 0)
    const stream = await findStream(trx, key)
    await auditIn(trx, null, toSettings(stream))
    return { stream, secret: issued }
  })
}

async function changeStream(
  key: StreamKey,
  { name, enabled, ...fields }: Omit<Input<'changeInstallationAuditStream'>, 'stream_id'>,
  { knex, encryptor, streamRules }: Deps,
  { auditIn, expected_revision }: Versioned,
): Promise<AuditStream> {
  return transaction(knex, async (trx) => {
    const before = await lockStream(trx, key)
    if (before.revision !== expected_revision) throw new AdminFault('revision_mismatch')
    const { account } = key
    const resolved = resolveDestination(
      { account, kind: before.kind, stored: toDestination(before) },
      fields,
      streamRules,
    )
    const { destination, secret } = resolved
    const settings = { name: name ?? before.name, enabled: enabled ?? before.enabled, destination }
    await rejectKnownName(updateAuditStream(trx, key, settings))
    if (secret !== undefined) await deleteAuditStreamSecrets(trx, key.stream_id)
    if (secret) await insertAuditStreamSecret(trx, key.stream_id, encryptStreamSecret(encryptor, secret), 0)
    const changed = await findStream(trx, key)
    await auditIn(trx, toSettings(before), toSettings(changed))
    return changed
  })
}

function removeStream(key: StreamKey, { knex }: Pick<Deps, 'knex'>, { auditIn }: Actor) {
  return transaction(knex, async (trx) => {
    const before = await lockStream(trx, key)
    await deleteAuditStream(trx, key)
    await auditIn(trx, toSettings(before), null)
    return {}
  })
}

function rollSecret(key: StreamKey, overlapHours: number, { knex, encryptor }: Deps, { auditIn }: Actor) {
  return transaction(knex, async (trx) => {
    const { kind } = await lockStream(trx, key)
    if (kind !== 'webhook') throw new AdminFault('invalid_request', { reason: createReason('stream_without_secret') })
    const secret = createWebhookSecret('v1')
    await insertAuditStreamSecret(trx, key.stream_id, encryptStreamSecret(encryptor, secret), overlapHours * 3_600)
    await auditIn(trx, null, { stream_id: key.stream_id, overlap_hours: overlapHours })
    return { stream: await findStream(trx, key), secret }
  })
}

async function testStream(
  key: StreamKey,
  { knex, encryptor, streamSender }: Pick<Deps, 'knex' | 'encryptor' | 'streamSender'>,
  { name, token_id, address, request_id }: Actor,
) {
  const stream = await findStreamToTest(knex, key)
  if (stream === undefined) throw new AdminFault('not_found')
  const secrets = await openStreamSecrets(encryptor, stream.secrets)
  if (secrets === undefined) return { duration_ms: 0, failure: unreadable().failure }
  const actor = { actor: name, actor_kind: token_id === undefined ? 'member' : 'token' } as const
  const record = createTestRecord({ account: key.account, ...actor, address, request_id })
  const startedAt = performance.now()
  const { failure } = await streamSender.send({ ...stream, secrets }, [record], () => true)
  return { duration_ms: Math.round(performance.now() - startedAt), failure }
}

/** @throws AdminFault `not_found` */
async function lockStream(trx: Knex.Transaction, key: StreamKey): Promise<AuditStream> {
  if (!(await lockAuditStream(trx, key))) throw new AdminFault('not_found')
  return findStream(trx, key)
}

/** @throws AdminFault `not_found` */
async function findStream(knex: Knex, { account, stream_id }: StreamKey): Promise<AuditStream> {
  const [stream] = await selectAuditStreams(knex, { account, stream_id })
  if (stream === undefined) throw new AdminFault('not_found')
  return toStream(stream)
}

/** Without the secrets. Only those of webhooks are replaced by members. */
function toStream({ secrets, ...stream }: StoredStream): AuditStream {
  const shown = stream.kind === 'webhook' ? secrets : []
  return {
    ...stream,
    secrets: shown.map(({ created_at, expires_at }) => ({
      created_at: toTimestamp(created_at),
      expires_at: toTimestampOrNull(expires_at),
    })),
  }
}

function toDestination({ url, header_names, host, port, ca_certificate, certificate }: AuditStream) {
  return { url, header_names, host, port, ca_certificate, certificate }
}

/** What members set, for the audit trail. */
function toSettings({ stream_id, name, kind, enabled, ...stream }: AuditStream) {
  return { stream_id, name, kind, enabled, ...toDestination({ stream_id, name, kind, enabled, ...stream }) }
}

function rejectKnownName<T>(work: PromiseLike<T>): Promise<T> {
  return translateFaults(translateConstraintErrors(work, { audit_streams_name_unique: 'already_exists' }), {
    already_exists: toConflict(createReason('stream_exists')),
  })
}
