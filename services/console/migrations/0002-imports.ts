import type { Migration } from '#database'

/** Adds imports of users: their progress and rejected lines, without the users' data. */
export const imports: Migration = {
  name: '0002-imports',
  async up(knex) {
    await knex.raw(`
      create table imports (
        import_id uuid primary key,
        site integer not null,
        file_name text not null,
        dry_run boolean not null,
        conflict text not null,
        state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
        created integer not null default 0,
        merged integer not null default 0,
        replaced integer not null default 0,
        skipped integer not null default 0,
        rejected integer not null default 0,
        requested_by text not null,
        started_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index imports_site on imports (site, started_at desc);

      -- A batch is done when its users are imported and counted.
      create table import_batches (
        import_id uuid not null references imports on delete cascade,
        number integer not null,
        -- SHA-256 of the records.
        hash text not null,
        done boolean not null default false,
        primary key (import_id, number)
      );

      create table import_rejections (
        import_id uuid not null references imports on delete cascade,
        line integer not null,
        problems jsonb not null,
        primary key (import_id, line)
      );
    `)
  },
}
