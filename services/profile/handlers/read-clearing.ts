import { toTimestamp } from '#runtime'
import type { ProfileHandlers } from '../deps.ts'
import { findClearing } from '../store/site-storing.ts'

export const readClearing: ProfileHandlers['readClearing'] = async ({ site }, { knex }) => {
  const clearing = await findClearing(knex, site)
  if (clearing === undefined) return { clearing: null }
  const { clearing_begun_at, users_looked_at } = clearing
  return { clearing: { begun_at: toTimestamp(clearing_begun_at), users_looked_at } }
}
