import { enqueueJob, transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { upsertNotStored } from '../store/site-storing.ts'

export const changeNotStored: ProfileHandlers['changeNotStored'] = async (input, { knex }) => {
  const { site, revision, profile_not_stored } = input
  await transaction(knex, async (trx) => {
    if (!(await upsertNotStored(trx, { site, revision, not_stored: profile_not_stored }))) return
    await enqueueJob(trx, { task: 'clearNotStored', payload: { site }, key: `clearNotStored:${site}`, immediate: true })
  })
  return {}
}
