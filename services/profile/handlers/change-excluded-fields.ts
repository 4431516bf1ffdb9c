import { enqueueJob, transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { upsertExcludedFields } from '../store/excluded-fields.ts'

export const changeExcludedFields: ProfileHandlers['changeExcludedFields'] = async (input, { knex }) => {
  const { site, revision, profile_not_stored } = input
  await transaction(knex, async (trx) => {
    if (!(await upsertExcludedFields(trx, { site, revision, fields: profile_not_stored }))) return
    await enqueueJob(trx, {
      task: 'deleteExcludedFields',
      payload: { site },
      key: `deleteExcludedFields:${site}`,
      immediate: true,
    })
  })
  return {}
}
