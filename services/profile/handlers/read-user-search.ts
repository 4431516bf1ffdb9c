import type { ProfileHandlers } from '../deps.ts'
import { describeUserSearch } from '../describe-user-search.ts'
import { findUserSearch } from '../store/user-search.ts'

export const readUserSearch: ProfileHandlers['readUserSearch'] = async ({ site }, { knex }) =>
  describeUserSearch(await findUserSearch(knex, site))
