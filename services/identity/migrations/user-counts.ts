import type { Knex } from 'knex'

/**
 * Creates exact counts of users, for `total` and to find the start of a page.
 *
 * A cell counts the users of one bucket of registration times and one bucket of last logins. The registration time is in the
 * first eight digits of an identifier, and so decides the order of lists. A bucket is all times with the same seconds >>
 * shift: roughly, 2^8 seconds are four minutes, 2^12 an hour, 2^16 a day, 2^20 twelve days, and 2^32 all time. Any period
 * is a few buckets and a remainder, whose users are counted through an index.
 *
 * Triggers append changes to `user_count_deltas`, so that no writer can omit them or waits for another. A background task
 * rolls deltas up into cells. The view `user_counts_now` combines both, so that readers do not notice the roll-up.
 */
export async function createUserCounts(knex: Knex): Promise<void> {
  // Not parallel safe on purpose: statements with it are short, and parallel workers would take longer to start.
  await knex.raw(`
    create function registration_time(identifier text) returns bigint immutable strict
    return ('x' || left(identifier, 8))::bit(32)::bigint`)
  // Users created in a period registered in it or later, because a merge can only make created_at earlier.
  await knex.raw(`
    alter table users add constraint users_created_before_registration
    check (created_at < to_timestamp(registration_time(identifier) + 1))`)
  await knex.raw(`
    create table user_counts (
      site integer not null,
      registration_shift integer not null,
      login_shift integer not null,
      registration bigint not null,
      login bigint not null,
      n_all bigint not null,
      n_mapped bigint not null,
      constraint user_counts_pk primary key (site, registration_shift, login_shift, registration, login)
    ) with (fillfactor = 70)`)
  // The columns depend on each other: without statistics, Postgres overestimates the cells and reads the whole table.
  await knex.raw('create statistics user_counts_shifts (mcv) on registration_shift, login_shift from user_counts')
  // For few login buckets and many registration buckets.
  await knex.raw(`
    create index user_counts_by_login on user_counts (site, login, registration)
    where registration_shift = 20 and login_shift = 16`)
  // Buckets of 2^8 seconds of registrations and 2^12 of last logins; login is null for users without one.
  await knex.raw(`
    create table user_count_deltas (
      site integer not null,
      registration bigint not null,
      login bigint,
      n_all bigint not null,
      n_mapped bigint not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`)
  await knex.raw(`
    create function user_count_cells(registration bigint, login bigint)
    returns table (registration_shift integer, login_shift integer, registration bigint, login bigint)
    language sql immutable parallel safe rows 9 as $$
      select * from (values
        (32, 32, 0::bigint, 0::bigint), (16, 32, $1 >> 8, 0), (8, 32, $1, 0),
        (32, 16, 0, $2 >> 4), (32, 12, 0, $2),
        (20, 20, $1 >> 12, $2 >> 8), (20, 16, $1 >> 12, $2 >> 4), (16, 20, $1 >> 8, $2 >> 8), (16, 16, $1 >> 8, $2 >> 4)
      ) as cells (registration_shift, login_shift, registration, login)
      where cells.login is not null
    $$`)
  await knex.raw(`
    create view user_counts_now as
    select site, registration_shift, login_shift, registration, login, n_all, n_mapped from user_counts
    union all
    select d.site, c.registration_shift, c.login_shift, c.registration, c.login, d.n_all, d.n_mapped
    from user_count_deltas d cross join lateral user_count_cells(d.registration, d.login) c`)

  await knex.raw(`
    create index users_backdated on users (site, identifier) include (created_at, last_logged_in_at, primary_key)
    where created_at < to_timestamp(registration_time(identifier))`)
  await knex.raw(`
    create function count_users() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into user_count_deltas
        select site, registration_time(identifier) >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
          count(*), count(primary_key)
        from new_users group by 1, 2, 3;
      elsif tg_op = 'DELETE' then
        insert into user_count_deltas
        select site, registration_time(identifier) >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
          -count(*), -count(primary_key)
        from old_users group by 1, 2, 3;
      else
        insert into user_count_deltas
        select site, registration_time(identifier) >> 8, floor(extract(epoch from last_logged_in_at))::bigint >> 12,
          sum(n), coalesce(sum(n) filter (where primary_key is not null), 0)
        from (
          select site, identifier, primary_key, last_logged_in_at, 1 as n from new_users
          union all
          select site, identifier, primary_key, last_logged_in_at, -1 from old_users
        ) as changes
        group by 1, 2, 3
        having sum(n) <> 0 or sum(n) filter (where primary_key is not null) <> 0;
      end if;
      return null;
    end $$`)
  await knex.raw(`
    create trigger users_inserted after insert on users referencing new table as new_users
    for each statement execute function count_users()`)
  await knex.raw(`
    create trigger users_updated after update on users referencing old table as old_users new table as new_users
    for each statement execute function count_users()`)
  await knex.raw(`
    create trigger users_deleted after delete on users referencing old table as old_users
    for each statement execute function count_users()`)
}
