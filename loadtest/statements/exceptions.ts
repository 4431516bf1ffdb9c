/** A statement that does not name the site of each of its tables. */
export interface StatementException {
  readonly service: string
  /** How the statement begins, with single spaces. */
  readonly statement: string
  readonly reason: string
  /** Where this form of the statement runs, if there are two (`isDistributed`). */
  readonly on?: 'postgres' | 'citus'
}

const sweep = 'Runs in the background over all sites.'

export const statementExceptions: readonly StatementException[] = [
  {
    service: 'identity',
    statement: 'select ( (select coalesce(sum(c.n_all), 0) from sites s join user_counts c',
    reason: `${sweep} Counts all users for a metric, once a minute.`,
  },
  {
    service: 'identity',
    statement: 'with taken as ( delete from user_count_deltas',
    reason: `${sweep} Rolls up user counts.`,
  },
  {
    service: 'identity',
    statement: 'select distinct site from (select site from user_count_deltas limit',
    reason: `${sweep} Finds the sites whose user counts are rolled up.`,
    on: 'citus',
  },
  {
    service: 'identity',
    statement: 'select site, identifier, requested_at from user_deletions where delete_at <=',
    reason: `${sweep} Finds users whose waiting period is over.`,
  },
  {
    service: 'identity',
    statement:
      'select site, delete_after_days, notice_days, include_mapped, revision from inactivity_rules where next_look_at',
    reason: `${sweep} Finds rules for inactive users that are due.`,
  },
  {
    service: 'identity',
    statement: 'select site, identifier, deleted_at, requested_by, requested_at, services, next_look_at, extract',
    reason: `${sweep} Finds deletions whose receipt is not complete.`,
  },
  {
    service: 'provider-auth',
    statement: 'select "provider", count(*)::integer as count from "credentials" where "needs_reauth_at" is not null',
    reason: `${sweep} Counts credentials for a metric.`,
  },
  ...['identity', 'profile', 'provider-auth', 'friendship'].flatMap((service) => [
    {
      service,
      statement: 'select id, site, subject, event from pending_events where subject not in',
      reason: `${sweep} The relay reads the next events.`,
    },
    {
      service,
      statement: 'select count(*) as pending, extract(epoch from clock_timestamp() - min(created_at))',
      reason: `${sweep} Counts pending events for a metric.`,
    },
  ]),
  {
    service: 'events',
    statement: 'select s.site from sites s cross join lateral',
    reason: `${sweep} Finds the sites with events that are too old, once a minute.`,
  },
  {
    service: 'events',
    statement: 'update webhook_endpoints set lease = $1, leased_until = now() + make_interval(secs => $2) where (site,',
    reason: `${sweep} A replica takes the endpoints with new events or due deliveries.`,
    on: 'postgres',
  },
  {
    service: 'events',
    statement: 'select e.site, e.endpoint_id from webhook_endpoints e join sites using (site)',
    reason: `${sweep} Finds the endpoints with new events or due deliveries, which a replica takes one by one.`,
    on: 'citus',
  },
  {
    service: 'events',
    statement: 'update webhook_endpoints set leased_until = now() + make_interval(secs => $2) where lease = $1',
    reason: `${sweep} A replica keeps the endpoints that it has.`,
  },
  {
    service: 'events',
    statement: 'select case when enabled then',
    reason: `${sweep} Counts endpoints for a metric.`,
  },
  {
    service: 'events',
    statement: 'select "site", "endpoint_id", "secret_id", "secret_encrypted" from "webhook_secrets" where substring',
    reason: `${sweep} Finds secrets of earlier keys, once a minute.`,
  },
  {
    service: 'profile',
    statement: 'select "user_search"."site" from "user_search" inner join "user_search_keys"',
    reason: `${sweep} Finds sites whose search terms have an earlier key, once a minute.`,
  },
  ...[
    ['events', 'webhook_deliveries where (site, endpoint_id, sequence) in ( select d.site'],
    ['events', 'users where (site, identifier) in (select site, identifier from users where removed_at <'],
    ['identity', 'commands where (site, command) in (select site, command from commands where expires_at <= now()'],
    ...['erasures', 'erasure_parts'].map((table) => ['identity', `${table} where (site, identifier, deleted_at`]),
    [
      'identity',
      'stored_responses where (site, idempotency_key) in (select site, idempotency_key from stored_responses',
    ],
    ['profile', 'commands where (site, command) in (select site, command from commands where expires_at <= now()'],
    ['provider-auth', '"association_tokens" where "expires_at" <'],
    ['provider-auth', '"authorization_codes" where expires_at <'],
    ['provider-auth', '"data_deletions" where "completed_at" <'],
    ['provider-auth', '"one_time_tokens" where "expires_at" <'],
    ['provider-auth', '"used_id_tokens" where "expires_at" <'],
  ].map(([service = '', rest]) => ({
    service,
    statement: `delete from ${rest}`,
    reason: `${sweep} Deletes expired rows, once a minute.`,
  })),
]

/** Statements that name the site of each table by another table of sites, and that Citus therefore executes on more than one shard. */
export const multiShardStatements: readonly StatementException[] = [
  {
    service: 'provider-auth',
    statement: 'select "c"."site" from "credentials" as "c" inner join "provider_settings"',
    reason: `${sweep} A consent is revoked at its provider once no site with the same client has the account.`,
  },
]
