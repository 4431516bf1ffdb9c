import type { Migration } from '#database'

export const accountsAndSiteSettings: Migration = {
  name: '0006-accounts-and-site-settings',
  async up(knex) {
    await knex.raw(`
      create table accounts (
        account text collate "C" constraint accounts_pk primary key,
        name text not null,
        revision integer not null default 1,
        created_at timestamptz not null default now()
      )`)
    await knex.raw(`
      insert into accounts (account, name, created_at) select account, account, min(created_at) from sites group by account`)
    // Beside \`revision\`, which orders what gateways have to learn: this one counts what people changed.
    await knex.raw(`
      alter table sites
        add constraint sites_account_fk foreign key (account) references accounts,
        add column kind text not null default 'production',
        add column service_url text,
        add column domains text[] not null default '{}',
        add column profile_not_stored jsonb not null default '{}',
        add column settings_revision integer not null default 1`)
    await knex.raw('create index api_keys_of_site on api_keys (site, created_at)')
  },
}
