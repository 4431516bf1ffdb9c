import type { Migration } from '#database'

export const requests: Migration = {
  name: '0011-requests',
  async up(knex) {
    await knex.raw(`
      -- What became of single requests to the Web API. Without a site: the key was none of any site.
      create table requests (
        request_id uuid primary key,
        at timestamptz not null,
        site integer,
        api_key_id uuid,
        address text,
        operation text not null,
        status smallint not null,
        code integer,
        remaining bigint,
        duration_ms double precision not null
      );
      create index requests_site_at on requests (site, at desc);
      create index requests_at on requests (at);
    `)
  },
}
