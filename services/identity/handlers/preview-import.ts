import type { ImportOutcome } from '#contracts'
import { transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { importBatch } from '../import-batch.ts'
import { retryConflicts } from './import-users.ts'

/** Ends a transaction that only tried. */
class Preview extends Error {
  override readonly name = 'Preview'
  readonly outcomes: ImportOutcome[]
  constructor(outcomes: ImportOutcome[]) {
    super('rolled back')
    this.outcomes = outcomes
  }
}

export const previewImport: IdentityHandlers['previewImport'] = async (
  { site, conflict, users },
  { knex, readSiteSchemas },
) => {
  try {
    return await retryConflicts(() =>
      transaction(knex, async (trx): Promise<never> => {
        const { results } = await importBatch(trx, site, conflict, users, readSiteSchemas)
        throw new Preview(results.map(({ outcome }) => outcome))
      }),
    )
  } catch (error) {
    if (!(error instanceof Preview)) throw error
    return { outcomes: error.outcomes }
  }
}
