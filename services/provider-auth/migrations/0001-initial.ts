import { deletedLinkDataTable, type Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      create table clients (
        client_id text constraint clients_pk primary key,
        site integer not null,
        name text not null,
        kind text not null constraint clients_kind_known check (kind in ('confidential', 'public')),
        pkce text not null constraint clients_pkce_known check (pkce in ('optional', 'required', 'S256')),
        id_token_alg text not null constraint clients_id_token_alg_known check (id_token_alg in ('RS256', 'ES256')),
        response_types text[] not null default '{code,id_token}',
        -- Where browsers may be redirected after a logout (OpenID Connect RP-Initiated Logout 1.0, 3.1).
        post_logout_redirect_uris text[] not null default '{}',
        revision integer not null default 1,
        created_at timestamptz not null default now(),
        constraint clients_public_with_pkce check (kind = 'confidential' or pkce <> 'optional'),
        constraint clients_of_site unique (site, client_id)
      );

      -- Two may be valid at once, so that a secret can be rotated without an interruption.
      create table client_secrets (
        client_id text not null constraint client_secrets_client references clients on delete cascade,
        secret_hash text not null,
        secret_id uuid not null default gen_random_uuid(),
        created_at timestamptz not null default now(),
        constraint client_secrets_pk primary key (client_id, secret_hash),
        constraint client_secrets_secret_id_unique unique (secret_id)
      );

      create table redirect_uris (
        client_id text not null constraint redirect_uris_client references clients on delete cascade,
        redirect_uri text not null,
        created_at timestamptz not null default now(),
        constraint redirect_uris_pk primary key (client_id, redirect_uri)
      );

      -- Redirect URI rules of a pending change of a site in identity.
      create table prepared_callback_rules (
        site integer not null,
        expected_revision integer not null,
        kind text not null,
        domains text[] not null,
        prepared_at timestamptz not null default now()
      );
      create index prepared_callback_rules_of_site on prepared_callback_rules (site);

      create table provider_settings (
        login_provider_identifier text constraint provider_settings_pk primary key,
        site integer not null,
        account text not null,
        site_id text not null,
        provider text not null,
        client_id text not null,
        client_secret bytea not null,
        client_secret_expires_at timestamptz,
        options bytea not null,
        official_account boolean not null,
        enabled boolean not null,
        revision integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint provider_settings_one_per_provider unique (site, provider)
      );
      -- Lookup for the site's own login pages.
      create index provider_settings_by_names on provider_settings (account, site_id, provider);

      -- Exists before the settings, because administrators have to enter the callback URL at the provider first.
      create table login_provider_identifiers (
        site integer not null,
        provider text not null,
        login_provider_identifier text not null constraint login_provider_identifiers_unique unique,
        constraint login_provider_identifiers_pk primary key (site, provider)
      );

      create table credentials (
        site integer not null,
        link_id uuid not null,
        provider text not null,
        -- The account at the provider.
        provider_user_id text not null,
        access_token bytea,
        access_secret bytea,
        refresh_token bytea,
        expires_at timestamptz,
        -- Changes whenever the tokens change.
        token_set uuid not null default gen_random_uuid(),
        -- One replica has locked the tokens for a refresh until then.
        refresh_locked_until timestamptz,
        failed_refreshes integer not null default 0,
        refresh_not_before timestamptz,
        -- When the provider said that the end user has to log in again.
        needs_reauth_at timestamptz,
        -- When identity recorded the login or link request.
        recorded_at timestamptz not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint credentials_pk primary key (site, link_id)
      );
      create index credentials_needing_reauth on credentials (provider) where needs_reauth_at is not null;
      create index credentials_by_account on credentials (provider, provider_user_id);
${deletedLinkDataTable}

      -- A row outlives its code: it has the data for the code's access token, and detects a second use.
      create table authorization_codes (
        site integer not null,
        code_hash text not null,
        client_id text not null,
        redirect_uri text not null,
        identifier text not null,
        link_id uuid not null,
        provider text not null,
        provider_user_id text not null,
        scope text[] not null,
        nonce text,
        code_challenge text,
        code_challenge_method text,
        auth_time timestamptz not null,
        claims bytea not null,
        recorded_at timestamptz not null,
        expires_at timestamptz not null,
        consumed_at timestamptz,
        -- Used again after it was consumed: the tokens issued for it are revoked.
        revoked_at timestamptz,
        constraint authorization_codes_pk primary key (site, code_hash),
        constraint authorization_codes_client foreign key (site, client_id) references clients (site, client_id)
          on delete cascade,
        constraint authorization_codes_challenge_whole check ((code_challenge is null) = (code_challenge_method is null))
      );
      create index authorization_codes_by_client on authorization_codes (site, client_id);
      create index authorization_codes_by_link on authorization_codes (link_id);
      create index authorization_codes_by_expiry on authorization_codes (expires_at);

      create table access_tokens (
        site integer not null,
        token_hash text not null,
        code_hash text not null,
        expires_at timestamptz not null,
        created_at timestamptz not null default now(),
        constraint access_tokens_pk primary key (site, token_hash),
        constraint access_tokens_code foreign key (site, code_hash) references authorization_codes on delete cascade
      );
      create index access_tokens_by_code on access_tokens (site, code_hash);

      -- One per user: a new token replaces the earlier one.
      create table association_tokens (
        site integer not null,
        identifier text not null,
        token_hash text not null,
        provider text not null,
        issued_at timestamptz not null default now(),
        expires_at timestamptz not null,
        -- Hash of the cookie of the browser whose user confirmed first, the only one that may continue.
        browser text,
        constraint association_tokens_pk primary key (site, identifier),
        constraint association_tokens_one_each unique (site, token_hash)
      );
      create index association_tokens_by_expiry on association_tokens (expires_at);

      create table one_time_tokens (
        site integer not null,
        token_hash text not null,
        identifier text not null,
        link_id uuid not null,
        recorded_at timestamptz not null,
        expires_at timestamptz not null,
        -- The command that redeemed it.
        redeemed_by uuid,
        constraint one_time_tokens_pk primary key (site, token_hash)
      );
      create index one_time_tokens_by_link on one_time_tokens (link_id);
      create index one_time_tokens_by_expiry on one_time_tokens (expires_at);

      -- The status of a data deletion for the end user. It contains no personal data.
      create table data_deletions (
        site integer not null,
        confirmation_code text not null,
        login_provider_identifier text not null,
        completed_at timestamptz not null default now(),
        constraint data_deletions_pk primary key (site, confirmation_code)
      );
      create index data_deletions_by_completion on data_deletions (completed_at);

      -- A key is published as soon as it is here. It signs from activates_at until a later key of its algorithm does,
      -- and stays published until withdrawn_at.
      create table signing_keys (
        kid text constraint signing_keys_pk primary key,
        alg text not null constraint signing_keys_alg_known check (alg in ('RS256', 'ES256')),
        public_jwk jsonb not null,
        private_jwk bytea not null,
        created_at timestamptz not null default now(),
        activates_at timestamptz not null,
        withdrawn_at timestamptz
      );
    `)
  },
}
