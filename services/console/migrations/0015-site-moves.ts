import type { Migration } from '#database'

/** Adds moves of sites to other cells, with their progress. */
export const siteMoves: Migration = {
  name: '0015-site-moves',
  async up(knex) {
    await knex.raw(`
      create table site_moves (
        move_id uuid constraint site_moves_pk primary key,
        account text collate "C" not null,
        site_id text collate "C" not null,
        site integer not null,
        -- The number of the site in the other cell, once it is known.
        target_site integer,
        target_url text not null,
        -- Null once the move has ended.
        token_encrypted bytea,
        -- Base URLs of the other cell and of this one.
        moved_to jsonb not null,
        state text not null,
        direction text not null constraint site_moves_direction check (direction in ('out', 'back')),
        -- Where the copy is: a table of a service, and the key after which it goes on.
        service text,
        table_name text,
        position text not null default '',
        round integer not null default 1,
        rows_sent bigint not null default 0,
        parts_before integer,
        parts_now integer not null default 0,
        error text,
        requested_by text not null,
        requested_at timestamptz not null,
        frozen_at timestamptz,
        switched_at timestamptz,
        ended_at timestamptz,
        next_step_at timestamptz
      );
      create index site_moves_site on site_moves (account, site_id, requested_at desc);
      create unique index site_moves_one on site_moves (account, site_id) where ended_at is null;
      create index site_moves_due on site_moves (next_step_at) where next_step_at is not null`)
  },
}
