import type { Knex } from 'knex'
import type { z } from 'zod'
import type { LineProblem, UserImport } from '#admin-api'
import { limits } from '#contracts'

type ImportFields = z.output<typeof UserImport>

export interface StoredImport extends Omit<ImportFields, 'next_batch' | 'started_at' | 'updated_at'> {
  readonly site: number
  readonly started_at: Date
  readonly updated_at: Date
}

/** The numbers of lines by what became of them. */
export type ImportCounts = Pick<ImportFields, 'created' | 'merged' | 'replaced' | 'skipped' | 'rejected'>

type NewImport = Pick<
  StoredImport,
  'import_id' | 'site' | 'file_name' | 'dry_run' | 'conflict' | 'requested_by' | 'started_at'
>

export async function insertImport(knex: Knex, newImport: NewImport): Promise<void> {
  await knex('imports').insert({ ...newImport, updated_at: newImport.started_at })
}

/** Newest first. */
export async function listStoredImports(knex: Knex, site: number): Promise<StoredImport[]> {
  return knex('imports').where({ site }).orderBy('started_at', 'desc').select<StoredImport[]>('*')
}

export async function findImport(
  knex: Knex,
  name: { readonly site: number; readonly import_id: string },
): Promise<StoredImport | undefined> {
  return knex('imports').where(name).first<StoredImport | undefined>('*')
}

/** The first batch that is not done. */
export async function findNextBatch(knex: Knex, importId: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: { next: number }[] }>(
    `select coalesce(min(number), 0) as next from (
       select 0 as number union all select number + 1 from import_batches where import_id = :importId and done
     ) as candidates
     where not exists (
       select from import_batches b where b.import_id = :importId and b.number = candidates.number and done
     )`,
    { importId },
  )
  return rows[0]?.next ?? 0
}

/** A batch of an import. */
export interface ImportBatchKey {
  readonly import_id: string
  readonly number: number
}

/** Stores that a batch was received. @returns its hash when it was received first, and whether it is done */
export async function claimBatch(
  knex: Knex,
  { import_id, number }: ImportBatchKey,
  hash: string,
): Promise<{ hash: string; done: boolean }> {
  const [row] = await knex('import_batches')
    .insert({ import_id, number, hash })
    .onConflict(['import_id', 'number'])
    .merge({ number })
    .returning<{ hash: string; done: boolean }[]>(['hash', 'done'])
  if (row === undefined) throw new Error('The upsert returned no row.')
  return row
}

/** A rejected line. */
export interface RejectedLine {
  readonly line: number
  readonly problems: readonly z.output<typeof LineProblem>[]
}

/** Counts a batch and stores its rejected lines, once. The first lines are stored, up to a limit of the import. */
export async function finishBatch(
  trx: Knex.Transaction,
  { import_id, number }: ImportBatchKey,
  { counts, rejections, now }: { counts: ImportCounts; rejections: readonly RejectedLine[]; now: Date },
): Promise<void> {
  const isFirst = (await trx('import_batches').where({ import_id, number, done: false }).update({ done: true })) === 1
  if (!isFirst) return
  const added = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, trx.raw('?? + ?', [name, count])]),
  )
  await trx('imports')
    .where({ import_id })
    .update({ ...added, updated_at: now })
  if (rejections.length === 0) return
  const [stored] = await trx('import_rejections').where({ import_id }).count<{ count: number }[]>()
  const room = Math.max(0, limits.import_stored_rejections - Number(stored?.count ?? 0))
  const rows = rejections
    .slice(0, room)
    .map(({ line, problems }) => ({ import_id, line, problems: JSON.stringify(problems) }))
  if (rows.length > 0) await trx('import_rejections').insert(rows)
}

/** Ends a running import. */
export async function endStoredImport(
  knex: Knex,
  importId: string,
  state: 'done' | 'cancelled',
  now: Date,
): Promise<void> {
  await knex('imports').where({ import_id: importId, state: 'running' }).update({ state, updated_at: now })
}

/** Rejected lines after a line, in the order of the file. */
export async function listRejectedLines(
  knex: Knex,
  { import_id, after_line, limit }: { import_id: string; after_line: number; limit: number },
): Promise<RejectedLine[]> {
  return knex('import_rejections')
    .where({ import_id })
    .where('line', '>', after_line)
    .orderBy('line')
    .limit(limit)
    .select<RejectedLine[]>('line', 'problems')
}

/** Deletes imports that no longer need to be listed. */
export async function deleteOldImports(knex: Knex, now: Date): Promise<void> {
  const listedSince = new Date(now.getTime() - limits.import_listed_seconds * 1_000)
  await knex('imports').where('updated_at', '<', listedSince).delete()
}
