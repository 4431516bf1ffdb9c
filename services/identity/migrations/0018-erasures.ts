import { analyzeOften, type Migration } from '#database'

/** Deletions of users, what each service deleted, and the receipts. */
export const erasuresMigration: Migration = {
  name: '0018-erasures',
  async up(knex) {
    await knex.raw(`
      create table erasures (
        site integer not null,
        identifier text collate "C" not null,
        deleted_at timestamptz not null,
        requested_by text collate "C" not null,
        requested_at timestamptz not null,
        -- The services that answer.
        services text[] not null,
        -- Null: the receipt is complete.
        next_look_at timestamptz,
        completed_at timestamptz,
        receipt text collate "C",
        receipt_key jsonb,
        constraint erasures_pk primary key (site, identifier, deleted_at)
      );
      create index erasures_incomplete on erasures (next_look_at) where next_look_at is not null;
      create index erasures_newest on erasures (site, deleted_at, identifier);
      create index erasures_expiring on erasures using brin (deleted_at);
      ${analyzeOften('erasures')}

      -- A row is inserted before the service deletes, with the numbers of records that it has: repeats keep the first numbers.
      create table erasure_parts (
        site integer not null,
        identifier text collate "C" not null,
        deleted_at timestamptz not null,
        service text collate "C" not null,
        deleted jsonb not null,
        -- Null: the service has not confirmed the deletion yet.
        erased_at timestamptz,
        constraint erasure_parts_pk primary key (site, identifier, deleted_at, service)
      );
      create index erasure_parts_expiring on erasure_parts using brin (deleted_at)`)
  },
}
