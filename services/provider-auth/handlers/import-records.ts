import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { completeBatch } from '../login/user-import/complete-batch.ts'
import { enqueueImportJob } from '../login/user-import/import-job.ts'

type Procedure = (typeof providerAuthContract.procedures)['importRecords']

export const importRecords: Handler<Procedure, Deps> = async (batch, deps, call) => {
  await enqueueImportJob(deps.knex, batch, deps)
  const { results } = await completeBatch(batch, deps, call)
  return { outcomes: results.map(({ outcome }) => outcome) }
}
