import type { Knex } from 'knex'
import type { ReportId } from '#bus'

/** Notes a report as counted; false when it was before. */
export async function insertReport(trx: Knex.Transaction, { source, sequence }: ReportId): Promise<boolean> {
  const noted: unknown[] = await trx('reports')
    .insert({ source, sequence })
    .onConflict(['source', 'sequence'])
    .ignore()
    .returning('sequence')
  return noted.length > 0
}
