import type { ProfileHandlers } from '../deps.ts'
import { updateToGranted } from '../store/profiles.ts'

export const grantProfile: ProfileHandlers['grantProfile'] = async (user, { knex }) => {
  await updateToGranted(knex, user, new Date())
  return {}
}
