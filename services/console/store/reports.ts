import type { Knex } from 'knex'
import type { ReportId } from '#bus'

/** Records a report as counted. @returns false if it was counted before */
export async function insertReport(trx: Knex.Transaction, { source, sequence }: ReportId): Promise<boolean> {
  const noted: unknown[] = await trx('reports')
    .insert({ source, sequence })
    .onConflict(['source', 'sequence'])
    .ignore()
    .returning('sequence')
  return noted.length > 0
}
