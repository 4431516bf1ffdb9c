/** What a service may measure. */
export interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Each with the few values it can have; never a key, a person, a site or an address. */
  readonly labels: Readonly<Record<string, string>>
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
  readonly services: readonly ServiceName[]
}

export type ServiceName =
  | 'api-gateway'
  | 'identity'
  | 'profile'
  | 'provider-auth'
  | 'friendship'
  | 'console'
  | 'provider-simulator'

const web: readonly ServiceName[] = ['api-gateway', 'provider-auth', 'console', 'provider-simulator']
const askers: readonly ServiceName[] = ['api-gateway', 'identity', 'provider-auth', 'friendship', 'console']
const answerers: readonly ServiceName[] = ['identity', 'profile', 'provider-auth', 'friendship', 'console']
const workers: readonly ServiceName[] = ['identity', 'profile', 'provider-auth']
const on_the_bus: readonly ServiceName[] = ['api-gateway', ...answerers]
const everywhere: readonly ServiceName[] = [...on_the_bus, 'provider-simulator']
const with_redis: readonly ServiceName[] = ['api-gateway', 'provider-auth']

/** The buckets OpenTelemetry advises for HTTP, with three below them; 0.25 is the edge of the latency objective. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/**
 * Every metric of ours, by name. What has a name in OpenTelemetry's semantic conventions carries it in Prometheus' form;
 * the rest begins with `sociallogin_`.
 */
export const metrics = {
  sociallogin_build_info: {
    type: 'gauge',
    help: 'Always 1; tells the version that runs.',
    labels: { version: 'of package.json' },
    services: everywhere,
  },
  http_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to its answer.',
    labels: {
      http_request_method: 'the method, or `other`',
      http_route: "the route's template; at the gateway the operation; `unknown` where there is none",
      http_response_status_code: 'the status',
    },
    buckets: seconds,
    services: web,
  },
  http_server_active_requests: { type: 'gauge', help: 'Requests being answered.', labels: {}, services: web },
  sociallogin_rpc_client_duration_seconds: {
    type: 'histogram',
    help: 'Time of procedures asked of another service over the bus, waits for the connection and repeated questions included.',
    labels: {
      rpc_service: 'the service asked',
      rpc_method: 'the procedure',
      outcome:
        '`ok`; `app_error`: a refusal the procedure declares; `unavailable`: the service says that what it needs is away; `timeout`; `no_responders`; `disconnected`; `defect`',
    },
    buckets: seconds,
    services: askers,
  },
  sociallogin_rpc_server_duration_seconds: {
    type: 'histogram',
    help: 'Time of procedures answered over the bus.',
    labels: {
      rpc_service: 'the service that answers',
      rpc_method: 'the procedure',
      outcome: '`ok`, `app_error`, `unavailable`, `defect`',
    },
    buckets: seconds,
    services: answerers,
  },
  sociallogin_rpc_server_inflight: {
    type: 'gauge',
    help: 'Procedures being answered.',
    labels: {},
    services: answerers,
  },
  sociallogin_nats_connected: {
    type: 'gauge',
    help: '1 while the process is connected to NATS, else 0.',
    labels: {},
    services: on_the_bus,
  },
  sociallogin_nats_reconnects_total: {
    type: 'counter',
    help: 'Connections to NATS that were lost and came back.',
    labels: {},
    services: on_the_bus,
  },
  sociallogin_redis_connected: {
    type: 'gauge',
    help: '1 while Redis can be used, else 0.',
    labels: {},
    services: with_redis,
  },
  db_client_operation_duration_seconds: {
    type: 'histogram',
    help: 'Time of SQL statements, without the wait for a connection.',
    labels: {
      db_operation_name: '`select`, `insert`, `update`, `delete`, `with`, `transaction`, `other`',
      outcome: '`ok`, `error`',
    },
    buckets: seconds,
    services: answerers,
  },
  db_client_connection_count: {
    type: 'gauge',
    help: "Connections of the process's pool to Postgres.",
    labels: { state: '`idle`, `used`' },
    services: answerers,
  },
  db_client_connection_max: {
    type: 'gauge',
    help: "Connections the process's pool may have.",
    labels: {},
    services: answerers,
  },
  db_client_connection_pending_requests: {
    type: 'gauge',
    help: 'Statements and transactions waiting for a connection of the pool.',
    labels: {},
    services: answerers,
  },
  db_client_connection_timeouts_total: {
    type: 'counter',
    help: 'Waits for a connection of the pool that were given up.',
    labels: {},
    services: answerers,
  },
  sociallogin_database_usable: {
    type: 'gauge',
    help: '1 while Postgres answered lately, else 0.',
    labels: {},
    services: answerers,
  },
  sociallogin_schema_version: {
    type: 'gauge',
    help: "Number of the last migration the service's database has, as the process saw it last.",
    labels: {},
    services: answerers,
  },
  sociallogin_schema_required_version: {
    type: 'gauge',
    help: 'Number of the last migration the process needs; it serves when the database has it.',
    labels: {},
    services: answerers,
  },
  sociallogin_outbox_pending: {
    type: 'gauge',
    help: 'Jobs that wait or are tried again, counted every 15 seconds; the same at every replica.',
    labels: { task: 'the kind of job' },
    services: workers,
  },
  sociallogin_outbox_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of those jobs, 0 when there is none; the same at every replica.',
    labels: { task: 'the kind of job' },
    services: workers,
  },
  sociallogin_outbox_dead: {
    type: 'gauge',
    help: 'Jobs that failed as often as they may and are tried no more; the same at every replica.',
    labels: { task: 'the kind of job' },
    services: workers,
  },
  sociallogin_event_processing_seconds: {
    type: 'histogram',
    help: 'Time a job of the queue took.',
    labels: { consumer: 'the kind of job', outcome: '`ok`, `failed` (tried again later)' },
    buckets: seconds,
    services: workers,
  },
  sociallogin_api_requests_total: {
    type: 'counter',
    help: 'Answers of the Web API.',
    labels: {
      operation: 'the operation; `unknown` where there is none',
      http_status: 'the status',
      code: "the error's code, 0 for a good answer",
    },
    services: ['api-gateway'],
  },
  sociallogin_apikey_checks_total: {
    type: 'counter',
    help: 'API keys looked up, by what came of it.',
    labels: {
      result:
        '`ok`, `invalid_api_key`, `address_not_allowed`, `option_contract_needed` (the static address without its option), `too_many_requests` (an address that was refused too often)',
    },
    services: ['api-gateway'],
  },
  sociallogin_ratelimit_decisions_total: {
    type: 'counter',
    help: 'Requests of known sites by what the rate limit decided.',
    labels: {
      decision: '`allowed`; `near_limit`: allowed, a fifth or less of the window left; `limited`',
      mode: '`exact`: gateways counted together; `degraded`: each alone, while Redis is away',
    },
    services: ['api-gateway'],
  },
  sociallogin_ratelimit_store_duration_seconds: {
    type: 'histogram',
    help: "Time the rate limit's decision took, Redis included.",
    labels: {},
    buckets: seconds,
    services: ['api-gateway'],
  },
  sociallogin_gateways_serving: {
    type: 'gauge',
    help: 'Gateways this one knows of, itself among them.',
    labels: {},
    services: ['api-gateway'],
  },
  sociallogin_site_table_age_seconds: {
    type: 'gauge',
    help: 'Time since identity confirmed the table of sites and API keys; from 30 seconds on nobody is let in.',
    labels: {},
    services: ['api-gateway'],
  },
  sociallogin_authorize_flows_total: {
    type: 'counter',
    help: 'Steps and ends of logins and linkings.',
    labels: {
      provider: 'the login provider, or `unknown`',
      outcome:
        'steps: `asked` to choose or to confirm, `begun`, `returned` by a form; ends: `continued` (by a session, nobody was asked), `success`, `user_denied`, `client_error`, `provider_error`, `server_error`',
    },
    services: ['provider-auth'],
  },
  sociallogin_provider_client_duration_seconds: {
    type: 'histogram',
    help: 'Time of calls to login providers.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`ok`, `http_3xx`, `http_4xx`, `http_5xx`, `timeout`, `network`, `tls`, `too_long`, `address_refused`; `circuit_open` for calls not made',
    },
    buckets: seconds,
    services: ['provider-auth'],
  },
  sociallogin_provider_circuit_state: {
    type: 'gauge',
    help: 'Circuit of each login provider: 1 at the state it is in, 0 at the others.',
    labels: { provider: 'the login provider', state: '`closed`, `half_open`, `open`' },
    services: ['provider-auth'],
  },
  sociallogin_tokens_issued_total: {
    type: 'counter',
    help: 'Requests of the token endpoint that got their tokens.',
    labels: { type: '`access`' },
    services: ['provider-auth'],
  },
  sociallogin_tokens_rejected_total: {
    type: 'counter',
    help: 'Requests of the token endpoint that were refused.',
    labels: { error: 'the error of RFC 6749 5.2, or `server_error`' },
    services: ['provider-auth'],
  },
  sociallogin_signing_key_age_seconds: {
    type: 'gauge',
    help: 'How long the key that signs has been signing.',
    labels: { alg: '`RS256`, `ES256`' },
    services: ['provider-auth'],
  },
  sociallogin_credentials_refresh_total: {
    type: 'counter',
    help: 'Renewals of provider tokens that had ended.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`renewed`; `needs_reauth`: only a login of the person helps; `failed`: tried again after a pause; `superseded`: by a login meanwhile',
    },
    services: ['provider-auth'],
  },
  sociallogin_credentials_needing_reauth: {
    type: 'gauge',
    help: 'Stored credentials whose tokens only a login of the person can renew, counted every minute; the same at every replica.',
    labels: { provider: 'the login provider' },
    services: ['provider-auth'],
  },
  sociallogin_leavings_total: {
    type: 'counter',
    help: 'Login providers left for a person.',
    labels: {
      provider: 'the login provider',
      outcome:
        '`left`; `returned`: the person is back, so nothing was ended; `impossible`: no settings any more; `failed`: tried again later; `given_up`',
    },
    services: ['provider-auth'],
  },
  sociallogin_notices_total: {
    type: 'counter',
    help: 'Notices of login providers.',
    labels: {
      provider: 'the login provider',
      kind: 'what it is about; `unverified` before that is known',
      outcome: '`applied`, `unknown_user`, `outdated`, `acknowledged`, `refused`, `failed` (to be sent again)',
    },
    services: ['provider-auth'],
  },
  sociallogin_messaging_webhooks_total: {
    type: 'counter',
    help: 'Requests to the messaging webhook.',
    labels: { outcome: '`heard`, `unknown` (no such address), `forged`, `malformed`, `failed` (to be sent again)' },
    services: ['provider-auth'],
  },
  sociallogin_sealed_values_broken_total: {
    type: 'counter',
    help: 'Sealed values that could not be opened.',
    labels: { kept_in: 'the table or place', by: '`unknown_key`: the ring lacks it; `damaged`' },
    services: ['provider-auth', 'api-gateway'],
  },
  sociallogin_reports_lost_total: {
    type: 'counter',
    help: 'Reports of usage that were given up: the console was away for too long, or could not take them.',
    labels: {},
    services: with_redis,
  },
  sociallogin_console_logins_total: {
    type: 'counter',
    help: 'Attempts to sign in at the console.',
    labels: { result: '`ok`, `refused`, `failed`' },
    services: ['console'],
  },
  sociallogin_console_changes_total: {
    type: 'counter',
    help: 'Changes asked for by console and Admin API.',
    labels: { procedure: 'of the Admin API', outcome: '`ok`, or the error' },
    services: ['console'],
  },
  sociallogin_users: {
    type: 'gauge',
    help: 'Users of all sites, counted every minute; the same at every replica.',
    labels: {},
    services: ['identity'],
  },
} as const satisfies Record<string, MetricDescription>
