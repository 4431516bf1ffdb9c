import { commandsTable, deletedLinkDataTable, type Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      -- One row per user, locked by every change of the user's data. Rows of deleted and merged users remain (tombstones).
      create table profiles (
        site integer not null,
        identifier text collate "C" not null,
        prohibited boolean not null default false,
        deleted boolean not null default false,
        combined jsonb,
        update_count integer not null default 0,
        last_updated_at timestamptz,
        constraint profiles_pk primary key (site, identifier)
      );

      -- The owner of each link since a time of identity's clock, so that late data goes to the destination of a merge.
      create table links (
        site integer not null,
        link_id uuid not null,
        identifier text collate "C" not null,
        owned_since timestamptz not null,
        constraint links_pk primary key (site, link_id)
      );
      create index links_of_user on links (site, identifier);
${deletedLinkDataTable}

      create table provider_profiles (
        site integer not null,
        link_id uuid not null,
        provider text collate "C" not null,
        data jsonb not null,
        obtained_at timestamptz not null,
        constraint provider_profiles_pk primary key (site, link_id),
        constraint provider_profiles_link_fk foreign key (site, link_id) references links on delete cascade
      );

      -- While deletion_started_at is set, a job deletes stored values, user by user in the order of identifiers.
      create table excluded_fields (
        site integer constraint excluded_fields_pk primary key,
        revision integer not null,
        fields jsonb not null,
        excludes_everything boolean not null,
        deletion_started_at timestamptz,
        deleted_up_to text collate "C" not null default '',
        users_processed integer not null default 0
      );
${commandsTable}    `)
  },
}
