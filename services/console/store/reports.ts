import type { Knex } from 'knex'
import type { ReportName } from '#bus'

/** Notes a report as counted; false when it was before. */
export async function insertReport(trx: Knex.Transaction, { source, sequence }: ReportName): Promise<boolean> {
  const noted: unknown[] = await trx('reports')
    .insert({ source, sequence })
    .onConflict(['source', 'sequence'])
    .ignore()
    .returning('sequence')
  return noted.length > 0
}
