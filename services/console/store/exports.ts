import type { Knex } from 'knex'
import type { z } from 'zod'
import type { UserExport } from '#admin-api'
import { limits } from '#contracts'
import { translateConstraintErrors } from '#database'

type Shown = z.output<typeof UserExport>

export interface StoredExport extends Pick<Shown, 'export_id' | 'charset' | 'requested_by' | 'bytes'> {
  readonly site: number
  readonly with_profile: boolean
  readonly requested_at: Date
  readonly state: Shown['state']
  readonly written: number
  readonly total: number
  readonly replaced: number
  readonly expires_at: Date | null
}

export type NewExport = Pick<
  StoredExport,
  'export_id' | 'site' | 'charset' | 'with_profile' | 'requested_by' | 'requested_at'
>

const columns = [
  ...['export_id', 'site', 'charset', 'with_profile', 'requested_by', 'requested_at'],
  ...['state', 'written', 'total', 'replaced', 'bytes', 'expires_at'],
]

/** A process that said nothing about its export for so long has ended, and the export's password with it. */
const silentMs = 60_000

/** @throws Fault `already_exists`: one of the site is under way */
export async function insertExport(knex: Knex, given: NewExport): Promise<StoredExport> {
  const inserting = knex('exports')
    .insert({ ...given, state: 'waiting', alive_at: knex.fn.now() })
    .returning<StoredExport[]>(columns)
  const [row] = await translateConstraintErrors(inserting, { exports_one_at_a_time: 'already_exists' })
  if (row === undefined) throw new Error('An inserted row is returned.')
  return row
}

/** Newest first. */
export async function listExports(knex: Knex, site: number): Promise<StoredExport[]> {
  return knex('exports').where({ site }).orderBy('requested_at', 'desc').select<StoredExport[]>(columns)
}

/** An export of the site whose file can be fetched. */
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

/** Says how far an export is; false when it was given up meanwhile. */
export async function updateExport(
  knex: Knex,
  exportId: string,
  progress: Partial<Pick<StoredExport, 'state' | 'written' | 'total' | 'replaced' | 'bytes' | 'expires_at'>>,
): Promise<boolean> {
  const updated = await knex('exports')
    .where({ export_id: exportId })
    .whereIn('state', ['waiting', 'running'])
    .update({ ...progress, alive_at: knex.fn.now() })
  return updated > 0
}

/** Says that these are still being made. */
export async function keepAlive(knex: Knex, exportIds: readonly string[]): Promise<void> {
  await knex('exports').whereIn('export_id', exportIds).update({ alive_at: knex.fn.now() })
}

/** Gives up an export, and what it has written. */
export async function failExport(knex: Knex, exportId: string): Promise<void> {
  await updateExport(knex, exportId, { state: 'failed' })
  await knex('export_parts').where({ export_id: exportId }).delete()
}

/** Gives up the exports whose process ended. */
export async function failAbandoned(knex: Knex): Promise<void> {
  const abandoned = knex('exports')
    .whereIn('state', ['waiting', 'running'])
    .whereRaw(`alive_at < now() - make_interval(secs => ?)`, [silentMs / 1_000])
  await abandoned.update({ state: 'failed' })
}

export async function insertPart(knex: Knex, exportId: string, number: number, content: Buffer): Promise<void> {
  await knex('export_parts').insert({ export_id: exportId, number, content })
}

/** The file of an export, part by part. */
export async function* readParts(knex: Knex, exportId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const row: { content: Buffer } | undefined = await knex('export_parts')
      .where({ export_id: exportId, number })
      .first('content')
    if (row === undefined) return
    yield row.content
  }
}

/** Removes files whose time is over or that were never finished, and exports that need not be listed any more. */
export async function sweepExports(knex: Knex, now: Date): Promise<void> {
  await failAbandoned(knex)
  await knex('exports').where({ state: 'ready' }).where('expires_at', '<=', now).update({ state: 'expired' })
  const over = knex('exports').whereIn('state', ['failed', 'expired']).select('export_id')
  await knex('export_parts').whereIn('export_id', over).delete()
  const listedSince = new Date(now.getTime() - limits.export_listed_seconds * 1_000)
  await knex('exports').whereIn('state', ['failed', 'expired']).where('requested_at', '<', listedSince).delete()
}
