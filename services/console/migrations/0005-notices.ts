import type { Migration } from '#database'

/** Adds notices to people: channels, what was sent to them, and what is compared to find what is new. */
export const notices: Migration = {
  name: '0005-notices',
  async up(knex) {
    await knex.raw(`
      create table notice_channels (
        channel_id uuid constraint notice_channels_pk primary key,
        account text collate "C" not null,
        name text not null,
        -- Either an address or the URL of a chat, which is encrypted because it is a secret.
        email_address text,
        chat_url_encrypted bytea,
        chat_host text,
        chat_format text,
        kinds text[] not null,
        sites text[],
        language text not null,
        time_zone text not null,
        quiet_from text,
        quiet_to text,
        -- Of the link that confirms the address.
        token_hash text collate "C" constraint notice_channels_token_hash_unique unique,
        link_sent_at timestamptz,
        confirm_until timestamptz,
        confirmed_at timestamptz,
        last_delivered_at timestamptz,
        last_failed_at timestamptz,
        last_error text,
        last_status integer,
        created_at timestamptz not null,
        revision bigint not null default 1,
        constraint notice_channels_name_unique unique (account, name),
        constraint notice_channels_target check ((email_address is null) <> (chat_url_encrypted is null))
      );

      create table notices (
        notice_id uuid constraint notices_pk primary key,
        channel_id uuid not null constraint notices_channel_fk references notice_channels on delete cascade,
        account text collate "C" not null,
        site_id text collate "C",
        kind text not null,
        -- What lasts; null: it happened once. A channel is notified again only after the condition has ended.
        condition text collate "C",
        details jsonb not null,
        created_at timestamptz not null,
        ended_at timestamptz,
        -- Notices of one message have the same ID, also when it is sent again.
        message_id uuid,
        attempts integer not null default 0,
        -- Null: delivered, or given up.
        next_attempt_at timestamptz,
        delivered_at timestamptz
      );
      create unique index notices_condition on notices (channel_id, condition) where condition is not null and ended_at is null;
      create index notices_due on notices (next_attempt_at) where next_attempt_at is not null;
      create index notices_account on notices (account, kind);
      create index notices_channel on notices (channel_id);

      -- The networks from which each API key was used.
      create table key_networks (
        api_key_id uuid not null,
        network text not null,
        last_seen_at timestamptz not null,
        constraint key_networks_pk primary key (api_key_id, network)
      );
      create index key_networks_seen on key_networks (last_seen_at);

      -- A replica's right to do work that only one replica does.
      create table leases (
        name text constraint leases_pk primary key,
        holder uuid not null,
        leased_until timestamptz not null
      );

      -- Since when a replica has reported that the circuit is not closed.
      alter table provider_circuits add column troubled_since timestamptz;
    `)
  },
}
