import type { Migration } from '#database'

export const answers: Migration = {
  name: '0005-answers',
  async up(knex) {
    await knex.raw(`
      create table answers (
        site integer not null,
        idempotency_key text collate "C" not null,
        request text collate "C" not null,
        command uuid not null constraint answers_command_unique unique,
        claimed_until timestamptz not null,
        expires_at timestamptz not null,
        created_user text collate "C",
        answer text,
        about text collate "C",
        constraint answers_pk primary key (site, idempotency_key),
        constraint answers_about_fk foreign key (site, about) references users on delete cascade
      )`)
    await knex.raw('create index answers_expiring on answers (expires_at)')
    await knex.raw('create index answers_about on answers (site, about) where about is not null')
  },
}
