import type { Knex } from 'knex'
import type { AuditStreamFailure, AuditStreamKind } from '#admin-api'
import { defineStatement } from '#database'
import { type EncryptedStreamSecret, listAuditStreamSecrets } from './audit-stream-secrets.ts'
import type { StreamDestination } from './audit-streams.ts'

const leaseEach = defineStatement<{ stream_id: string }>(
  `update audit_streams set lease = $1, leased_until = now() + make_interval(secs => $2)
   where stream_id in (
     select stream_id from audit_streams s
     where enabled and next_attempt_at <= now()
       and (coalesce(leased_until < now(), true) or (lease = $1 and stream_id <> all($4::uuid[])))
       and case when account is null
         then exists (select from audit_records r where r.position > s.cursor)
         else exists (select from audit_records r where r.account = s.account and r.position > s.cursor) end
     limit $3 for update skip locked)
   returning stream_id`,
)

/**
 * Leases enabled streams with records whose next attempt is due: no other replica sends to them until the lease ends.
 *
 * @param lease names the replica
 * @param running IDs of streams that the replica already sends. It gets others that it has leased again: the connection broke before
 *   it learned of the lease, or before it released them.
 */
export async function leaseAuditStreams(
  knex: Knex,
  { lease, running, seconds, limit }: { lease: string; running: readonly string[]; seconds: number; limit: number },
): Promise<string[]> {
  return (await leaseEach(knex, [lease, seconds, limit, running])).rows.map(({ stream_id }) => stream_id)
}

const renewEach = defineStatement(
  `update audit_streams set leased_until = now() + make_interval(secs => $2) where lease = $1 and leased_until is not null`,
)

/** Extends the leases of a replica. One that ended and was not taken by another replica continues. */
export async function renewAuditStreamLeases(knex: Knex, lease: string, seconds: number): Promise<void> {
  await renewEach(knex, [lease, seconds])
}

const releaseOne = defineStatement(`update audit_streams set leased_until = null where stream_id = $1 and lease = $2`)

export async function releaseAuditStream(knex: Knex, streamId: string, lease: string): Promise<void> {
  await releaseOne(knex, [streamId, lease])
}

/** What sending needs to know of a stream. */
export interface StreamToSend {
  readonly stream_id: string
  readonly account: string | null
  readonly kind: AuditStreamKind
  readonly destination: StreamDestination
  readonly cursor: number
  readonly sent: number
  /** The valid secrets, encrypted, newest first. */
  readonly secrets: readonly EncryptedStreamSecret[]
}

const toSend = 'stream_id, account, kind, destination, cursor, sent'
const selectLeased = defineStatement<Omit<StreamToSend, 'secrets'>>(
  `select ${toSend} from audit_streams
   where stream_id = $1 and lease = $2 and leased_until is not null and enabled and next_attempt_at <= now()`,
)
const selectOne = defineStatement<Omit<StreamToSend, 'secrets'>>(
  `select ${toSend} from audit_streams where stream_id = $1 and account is not distinct from $2`,
)

/** @returns undefined if this replica no longer has the stream, it was paused, or it waits after a failure */
export async function findLeasedStream(knex: Knex, streamId: string, lease: string): Promise<StreamToSend | undefined> {
  return withSecrets(knex, (await selectLeased(knex, [streamId, lease])).rows[0])
}

/** The stream for a test, also if another replica has leased it. */
export async function findStreamToTest(
  knex: Knex,
  { stream_id, account }: Pick<StreamToSend, 'stream_id' | 'account'>,
): Promise<StreamToSend | undefined> {
  return withSecrets(knex, (await selectOne(knex, [stream_id, account])).rows[0])
}

async function withSecrets(
  knex: Knex,
  stream: Omit<StreamToSend, 'secrets'> | undefined,
): Promise<StreamToSend | undefined> {
  if (stream === undefined) return undefined
  const secrets = await listAuditStreamSecrets(knex, [stream.stream_id])
  return { ...stream, secrets: secrets.get(stream.stream_id) ?? [] }
}

/** What became of a batch: the first records were received; then an attempt may have failed. */
export interface BatchProgress {
  /** Position of the last record that was received. */
  readonly cursor: number
  readonly received: number
  readonly failure: AuditStreamFailure | null
  /** The receiver asked for a pause of at least so long. */
  readonly retryAfterSeconds: number
}

const storeOne = defineStatement(
  `update audit_streams set
     cursor = $4, sent = sent + $5,
     last_success_at = case when $5 > 0 then now() else last_success_at end,
     attempts = case when $6::jsonb is null then 0 when $5 > 0 then 1 else attempts + 1 end,
     failing_since = case when $6::jsonb is null then null when $5 > 0 then now() else coalesce(failing_since, now()) end,
     last_error = $6::jsonb,
     next_attempt_at = case when $6::jsonb is null then now() else now() + make_interval(secs =>
       greatest($7::float8, least(2 ^ least(case when $5 > 0 then 0 else attempts end, 20), $8)) * (1 + random() / 10)) end
   where stream_id = $1 and lease = $2 and leased_until is not null and cursor = $3`,
)
/** The pause after a failure doubles with each attempt, up to this one, forever. Our choice. */
const longestPauseSeconds = 300

/** Stores the progress of a batch. @returns false if another replica has the stream in the meantime */
export async function storeBatchProgress(
  knex: Knex,
  { stream_id, cursor: from }: Pick<StreamToSend, 'stream_id' | 'cursor'>,
  lease: string,
  { cursor, received, failure, retryAfterSeconds }: BatchProgress,
): Promise<boolean> {
  const error = failure && JSON.stringify(failure)
  const values = [stream_id, lease, from, cursor, received, error, retryAfterSeconds, longestPauseSeconds]
  return (await storeOne(knex, values)).rowCount === 1
}
