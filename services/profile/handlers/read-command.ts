import { isCommandStored } from '#database'
import type { ProfileHandlers } from '../deps.ts'

export const readCommand: ProfileHandlers['readCommand'] = async (command, { knex }) => ({
  done: await isCommandStored(knex, command),
})
