import type { Migration } from '#database'

/**
 * Adds the registration of each user as a column. Until now it was the time in the identifier, which imported users do not have. Lists,
 * counts and their indexes follow the registration, then the identifier.
 *
 * Postgres rewrites the table for the column.
 */
export const registrations: Migration = {
  name: '0003-registrations',
  async up(knex) {
    await knex.raw(`
      -- Unix time in seconds. imported_registration is set for imported users, whose identifiers can come from another system.
      alter table users
        add column imported_registration bigint,
        add column registration bigint not null
          generated always as (coalesce(imported_registration, registration_time(identifier))) stored,
        drop constraint users_created_before_registration,
        -- Users created in a period registered in it or later, because a merge can only make created_at earlier.
        add constraint users_created_before_registration check (created_at < to_timestamp(registration + 1)),
        -- Counts have buckets of 32-bit times.
        add constraint users_registration_range check (registration >= 0 and registration < 4294967296);

      create index users_registered on users (site, registration, identifier);
      drop index users_mapped, users_not_mapped, users_backdated, users_last_logged_in;
      create index users_mapped on users (site, registration, identifier) where primary_key is not null;
      create index users_not_mapped on users (site, registration, identifier) where primary_key is null;
      create index users_last_logged_in on users (site, last_logged_in_at, registration, identifier) include (primary_key)
        where last_logged_in_at is not null;
      create index users_backdated on users (site, registration, identifier) include (created_at, last_logged_in_at, primary_key)
        where created_at < to_timestamp(registration)`)
    await knex.raw(`
      create or replace function count_users() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into user_count_deltas
          select site, registration >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
            count(*), count(primary_key)
          from new_users group by 1, 2, 3;
        elsif tg_op = 'DELETE' then
          insert into user_count_deltas
          select site, registration >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
            -count(*), -count(primary_key)
          from old_users group by 1, 2, 3;
        else
          insert into user_count_deltas
          select site, registration >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
            sum(n), coalesce(sum(n) filter (where primary_key is not null), 0)
          from (
            select site, registration, primary_key, last_logged_in_at, 1 as n from new_users
            union all
            select site, registration, primary_key, last_logged_in_at, -1 from old_users
          ) as changes
          group by 1, 2, 3
          having sum(n) <> 0 or sum(n) filter (where primary_key is not null) <> 0;
        end if;
        return null;
      end $$`)
  },
}
