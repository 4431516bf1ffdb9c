import type { Migration } from '#database'

/** Adds how the login pages of sites look: a draft, published versions and their pictures. */
export const siteLooks: Migration = {
  name: '0010-site-looks',
  async up(knex) {
    await knex.raw(`
      create table site_looks (
        site integer constraint site_looks_pk primary key,
        -- In addresses of stylesheets, which browsers store.
        look_id text not null constraint site_looks_look_id unique,
        draft jsonb not null,
        revision bigint not null,
        published_version integer
      );
      create table site_look_versions (
        site integer not null,
        version integer not null,
        look jsonb not null,
        published_at timestamptz not null default now(),
        published_by text not null,
        constraint site_look_versions_pk primary key (site, version)
      );
      create table site_pictures (
        picture_id text constraint site_pictures_pk primary key,
        site integer not null,
        content bytea not null,
        -- SHA-256 of the picture before it was encoded, to recognize it.
        source_hash text not null,
        type text not null constraint site_pictures_type check (type in ('image/png', 'image/jpeg'))
      );
      create index site_pictures_site on site_pictures (site);
      create constraint trigger site_looks_change after insert or update or delete on site_looks
        deferrable initially deferred for each row execute function increment_settings_revision();
    `)
  },
}
