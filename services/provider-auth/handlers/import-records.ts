import type { ProviderAuthHandlers } from '../deps.ts'
import { completeBatch } from '../login/user-import/complete-batch.ts'
import { enqueueImportJob } from '../login/user-import/import-job.ts'

export const importRecords: ProviderAuthHandlers['importRecords'] = async (batch, deps, call) => {
  await enqueueImportJob(deps.knex, batch, deps)
  const { results } = await completeBatch(batch, deps, call)
  return { outcomes: results.map(({ outcome }) => outcome) }
}
