import { type Migration, personalKeysTable } from '#database'

export const personalKeysOfEvents: Migration = {
  name: '0005-personal-keys',
  async up(knex) {
    await knex.raw(personalKeysTable)
  },
}
