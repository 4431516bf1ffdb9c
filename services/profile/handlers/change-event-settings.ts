import type { ProfileHandlers } from '../deps.ts'
import { upsertEventSettings } from '../store/event-settings.ts'

export const changeEventSettings: ProfileHandlers['changeEventSettings'] = async (input, { knex }) => {
  await upsertEventSettings(knex, input)
  return {}
}
