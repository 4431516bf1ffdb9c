import type { Migration } from '#database'

/** Adds hosts of sites, the days on which clients used them, and whether a site is served on the installation's own host. */
export const siteHosts: Migration = {
  name: '0009-site-hosts',
  async up(knex) {
    await knex.raw(`
      create table site_hosts (
        site integer not null,
        host text not null,
        account text not null,
        site_id text not null,
        purpose text not null constraint site_hosts_purpose check (purpose in ('login', 'api')),
        -- 'released': was served and is not any more; its requests are rejected until a site proves it again.
        state text not null
          constraint site_hosts_state check (state in ('claimed', 'active', 'suspended', 'released')),
        -- What the proof has to contain.
        token text not null,
        problems text[] not null default '{}',
        created_at timestamptz not null default now(),
        checked_at timestamptz,
        next_check_at timestamptz not null default now(),
        failing_since timestamptz,
        -- Of the last change that readers of the table in memory have to know.
        revision bigint not null,
        constraint site_hosts_pk primary key (site, host)
      );
      create unique index site_hosts_owner on site_hosts (host) where state = 'active';
      create index site_hosts_revision on site_hosts (revision);
      create index site_hosts_next_check on site_hosts (next_check_at) where state <> 'released';

      create table shared_hosts (
        site integer constraint shared_hosts_pk primary key,
        enabled boolean not null,
        settings_revision bigint not null,
        revision bigint not null
      );
      create index shared_hosts_revision on shared_hosts (revision);

      create table hosts_revision (
        only_row boolean constraint hosts_revision_pk primary key default true check (only_row),
        revision bigint not null
      );
      insert into hosts_revision (revision) values (0);

      create table host_uses (
        site integer not null,
        client_id text not null,
        -- Empty: the installation's own host.
        host text not null,
        last_used_on date not null,
        constraint host_uses_pk primary key (site, client_id, host)
      );
    `)
  },
}
