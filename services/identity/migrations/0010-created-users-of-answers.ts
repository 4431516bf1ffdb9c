import type { Migration } from '#database'

export const createdUsersOfAnswers: Migration = {
  name: '0010-created-users-of-answers',
  async up(knex) {
    await knex.raw('alter table answers add column user_deleted boolean not null default false')
    await knex.raw(`create index answers_created_user on answers (site, created_user) where created_user is not null`)
    // A stored answer may show an identifier that is deleted already.
    await knex.raw(`
      update answers set user_deleted = true, answer = null
      where created_user is not null
        and not exists (select from users where users.site = answers.site and identifier = created_user)`)
  },
}
