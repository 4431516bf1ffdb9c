import { type Migration, personalKeysTable } from '#database'

export const personalKeys: Migration = {
  name: '0007-personal-keys',
  async up(knex) {
    await knex.raw(personalKeysTable)
  },
}
