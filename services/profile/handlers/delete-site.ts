import { deleteSiteRows, readDeletedRows } from '#database'
import type { ProfileHandlers } from '../deps.ts'

const tables = [
  'provider_profiles',
  'links',
  'profiles',
  'personal_keys',
  'deleted_link_data',
  'excluded_fields',
  'event_settings',
  'user_search',
  'user_search_keys',
  'user_search_terms',
  'commands',
  'pending_events',
]

export const deleteSite: ProfileHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const done = await deleteSiteRows(knex, site, tables)
  return { done, deleted: await readDeletedRows(knex, site) }
}
