import type { Knex } from 'knex'
import type { z } from 'zod'
import type { UserExport } from '#admin-api'
import { limits, type UserConditions } from '#contracts'
import { translateConstraintErrors } from '#database'

type ExportFields = z.output<typeof UserExport>

export interface StoredExport
  extends Pick<ExportFields, 'export_id' | 'format' | 'charset' | 'columns' | 'requested_by' | 'bytes'> {
  readonly site: number
  readonly with_profile: boolean
  readonly with_credentials: boolean
  readonly numbers_as_text: boolean
  readonly filter: UserConditions
  readonly requested_at: Date
  readonly state: ExportFields['state']
  readonly written: number
  readonly total: number
  readonly replaced: number
  readonly expires_at: Date | null
}

export type NewExport = Pick<
  StoredExport,
  | 'export_id'
  | 'site'
  | 'format'
  | 'charset'
  | 'columns'
  | 'numbers_as_text'
  | 'with_profile'
  | 'with_credentials'
  | 'filter'
  | 'requested_by'
  | 'requested_at'
>

const columns = [
  'export_id',
  'site',
  'format',
  'charset',
  'columns',
  'numbers_as_text',
  'with_profile',
  'with_credentials',
  'filter',
  'requested_by',
  'requested_at',
  'state',
  'written',
  'total',
  'replaced',
  'bytes',
  'expires_at',
]

/** After this time without a heartbeat, the process of an export has ended, and the password in its memory is lost. */
const heartbeatTimeoutMs = 10_000

/** @throws Fault `already_exists` if an export of the site is in progress */
export async function insertExport(knex: Knex, newExport: NewExport): Promise<StoredExport> {
  const inserting = knex('exports')
    .insert({ ...newExport, state: 'waiting', heartbeat_at: knex.fn.now() })
    .returning<StoredExport[]>(columns)
  const [row] = await translateConstraintErrors(inserting, { exports_one_at_a_time: 'already_exists' })
  if (row === undefined) throw new Error('An inserted row is returned.')
  return row
}

/** Newest first. */
export async function listExports(knex: Knex, site: number): Promise<StoredExport[]> {
  return knex('exports').where({ site }).orderBy('requested_at', 'desc').select<StoredExport[]>(columns)
}

/** Finds an export of the site whose file can be downloaded. */
export async function findReadyExport(
  knex: Knex,
  name: { site: number; export_id: string },
  now: Date,
): Promise<StoredExport | undefined> {
  return knex('exports')
    .where({ ...name, state: 'ready' })
    .where('expires_at', '>', now)
    .first<StoredExport | undefined>(columns)
}

/** Updates the progress of an export. @returns false if the export was aborted meanwhile */
export async function updateExport(
  knex: Knex,
  exportId: string,
  progress: Partial<Pick<StoredExport, 'state' | 'written' | 'total' | 'replaced' | 'bytes' | 'expires_at'>>,
): Promise<boolean> {
  const updated = await knex('exports')
    .where({ export_id: exportId })
    .whereIn('state', ['waiting', 'running'])
    .update({ ...progress, heartbeat_at: knex.fn.now() })
  return updated > 0
}

/** Updates the heartbeat of exports in progress. */
export async function updateHeartbeats(knex: Knex, exportIds: readonly string[]): Promise<void> {
  await knex('exports').whereIn('export_id', exportIds).update({ heartbeat_at: knex.fn.now() })
}

/** Marks an export as failed and deletes its parts, unless it is ready: the response to its last update can be lost. */
export async function failExport(knex: Knex, exportId: string): Promise<void> {
  if (await updateExport(knex, exportId, { state: 'failed' }))
    await knex('export_parts').where({ export_id: exportId }).delete()
}

/** Marks the exports whose process has ended as failed. */
export async function failAbandonedExports(knex: Knex): Promise<void> {
  const abandoned = knex('exports')
    .whereIn('state', ['waiting', 'running'])
    .whereRaw(`heartbeat_at < now() - make_interval(secs => ?)`, [heartbeatTimeoutMs / 1_000])
  await abandoned.update({ state: 'failed' })
}

export async function insertPart(knex: Knex, exportId: string, number: number, content: Buffer): Promise<void> {
  await knex('export_parts').insert({ export_id: exportId, number, content })
}

/** Reads the file of an export by part. */
export async function* readParts(knex: Knex, exportId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const row: { content: Buffer } | undefined = await knex('export_parts')
      .where({ export_id: exportId, number })
      .first('content')
    if (row === undefined) return
    yield row.content
  }
}

/** Deletes expired and unfinished files, and exports that no longer need to be listed. */
export async function cleanUpExports(knex: Knex, now: Date): Promise<void> {
  await failAbandonedExports(knex)
  await knex('exports').where({ state: 'ready' }).where('expires_at', '<=', now).update({ state: 'expired' })
  const finished = knex('exports').whereIn('state', ['failed', 'expired']).select('export_id')
  await knex('export_parts').whereIn('export_id', finished).delete()
  const listedSince = new Date(now.getTime() - limits.export_listed_seconds * 1_000)
  await knex('exports').whereIn('state', ['failed', 'expired']).where('requested_at', '<', listedSince).delete()
}
