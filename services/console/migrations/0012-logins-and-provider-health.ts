import type { Migration } from '#database'

export const loginsAndProviderHealth: Migration = {
  name: '0012-logins-and-provider-health',
  async up(knex) {
    await knex.raw(`
      create table usage_logins (
        site integer not null,
        span text not null check (span in ('hour', 'day')),
        at timestamptz not null,
        provider text not null,
        step text not null,
        count bigint not null,
        primary key (site, span, at, provider, step)
      );
      create index usage_logins_at on usage_logins (span, at);

      create table provider_calls (
        minute timestamptz not null,
        provider text not null,
        calls bigint not null,
        failed bigint not null,
        primary key (minute, provider)
      );

      -- The circuit of each provider as each replica told it last.
      create table provider_circuits (
        source uuid not null,
        provider text not null,
        state text not null,
        told_at timestamptz not null,
        primary key (source, provider)
      );
    `)
  },
}
