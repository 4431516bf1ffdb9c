import type { Migration } from '#database'

export const rejections: Migration = {
  name: '0017-rejections',
  async up(knex) {
    await knex.raw(`
      -- Rejected requests to the authorization and the token endpoint. Without a site: they named nothing of any site.
      create table rejections (
        request_id uuid constraint rejections_pk primary key,
        at timestamptz not null,
        site integer,
        endpoint text not null,
        client_id text collate "C",
        redirect_uri text,
        registered_redirect_uris text[] not null,
        error text,
        error_description text,
        reason text not null
      );
      create index rejections_site_at on rejections (site, at desc);
      create index rejections_client_at on rejections (site, client_id, at desc);
      create index rejections_at on rejections (at);
    `)
  },
}
