import type { Knex } from 'knex'
import type { AuditStream, AuditStreamFailure, AuditStreamKind } from '#admin-api'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { listAuditStreamSecrets, type StoredStreamSecret } from './audit-stream-secrets.ts'

/** Where a stream sends, without secrets; null: not a field of its kind, or not set. */
export type StreamDestination = Pick<
  AuditStream,
  'url' | 'header_names' | 'host' | 'port' | 'ca_certificate' | 'certificate'
>

/** Whose streams: those of an account, or (null) of the whole installation. */
export interface StreamScope {
  readonly account: string | null
}

export interface StreamKey extends StreamScope {
  readonly stream_id: string
}

/** A stream, with its valid secrets (encrypted), newest first. */
export interface StoredStream extends Omit<AuditStream, 'secrets'> {
  readonly secrets: readonly StoredStreamSecret[]
}

interface StreamRow {
  readonly stream_id: string
  readonly name: string
  readonly kind: AuditStreamKind
  readonly destination: StreamDestination
  readonly enabled: boolean
  readonly sent: number
  readonly backlog: number
  readonly oldest_age: number | null
  readonly attempts: number
  readonly next_attempt_at: Date
  readonly last_success_at: Date | null
  readonly failing_since: Date | null
  readonly last_error: AuditStreamFailure | null
  readonly created_at: Date
  readonly revision: number
}

/** The records that a stream `s` has not sent, and the age of the oldest one in seconds. */
export const backlogOfStream = `
  left join lateral (
    select count(*)::integer as backlog, extract(epoch from clock_timestamp() - min(due_at))::float8 as oldest_age
    from audit_records r
    where (r.position > s.cursor or (r.position is null and r.due_at <= clock_timestamp()))
      and (s.account is null or r.account = s.account)
  ) as behind on true`

/** The streams of a scope, or one of them, in the order of their creation. */
export async function selectAuditStreams(
  knex: Knex,
  { account, stream_id }: StreamScope & { readonly stream_id?: string },
): Promise<StoredStream[]> {
  const { rows } = await knex.raw<{ rows: StreamRow[] }>(
    `select s.*, behind.backlog, behind.oldest_age from audit_streams s ${backlogOfStream}
     where s.account is not distinct from :account and (:stream::uuid is null or s.stream_id = :stream)
     order by s.created_at, s.stream_id`,
    { account, stream: stream_id ?? null },
  )
  const secrets = await listAuditStreamSecrets(
    knex,
    rows.map((row) => row.stream_id),
  )
  return rows.map((row) => toStream(row, secrets.get(row.stream_id) ?? []))
}

function toStream(row: StreamRow, secrets: readonly StoredStreamSecret[]): StoredStream {
  const { stream_id, name, kind, destination, enabled, sent, backlog, last_error, revision } = row
  return {
    stream_id,
    name,
    kind,
    url: destination.url,
    header_names: destination.header_names,
    host: destination.host,
    port: destination.port,
    ca_certificate: destination.ca_certificate,
    certificate: destination.certificate,
    enabled,
    sent,
    backlog,
    oldest_age_seconds: Math.max(0, Math.round(row.oldest_age ?? 0)),
    last_success_at: toTimestampOrNull(row.last_success_at),
    failing_since: toTimestampOrNull(row.failing_since),
    last_error,
    next_attempt_at: row.attempts > 0 && enabled ? toTimestamp(row.next_attempt_at) : null,
    created_at: toTimestamp(row.created_at),
    revision,
    secrets,
  }
}

/** What members set, without secrets. */
export type StreamSettings = Pick<AuditStream, 'name' | 'enabled'> & { readonly destination: StreamDestination }

/** @throws the error of `audit_streams_name_unique` */
export async function insertAuditStream(
  trx: Knex.Transaction,
  { destination, ...stream }: StreamKey & StreamSettings & { readonly kind: AuditStreamKind; readonly cursor: number },
): Promise<void> {
  await trx('audit_streams').insert({ ...stream, destination: JSON.stringify(destination) })
}

/** Locks a stream until the transaction ends. @returns false if there is none */
export async function lockAuditStream(trx: Knex.Transaction, { account, stream_id }: StreamKey): Promise<boolean> {
  return (await trx('audit_streams').where({ account, stream_id }).forUpdate().first('stream_id')) !== undefined
}

/**
 * Changes a locked stream and increments its revision. The next attempt is made at once, because the change can be what it needs.
 *
 * @throws the error of `audit_streams_name_unique`
 */
export async function updateAuditStream(
  trx: Knex.Transaction,
  { account, stream_id }: StreamKey,
  { destination, ...settings }: StreamSettings,
): Promise<void> {
  await trx('audit_streams')
    .where({ account, stream_id })
    .update({
      ...settings,
      destination: JSON.stringify(destination),
      next_attempt_at: trx.fn.now(),
      revision: trx.raw('revision + 1'),
    })
}

/** @returns false if there is no such stream */
export async function deleteAuditStream(knex: Knex, { account, stream_id }: StreamKey): Promise<boolean> {
  return (await knex('audit_streams').where({ account, stream_id }).delete()) > 0
}

export async function countAuditStreams(trx: Knex.Transaction, { account }: StreamScope): Promise<number> {
  return Number((await trx('audit_streams').where({ account }).count({ count: '*' }).first())?.count ?? 0)
}
