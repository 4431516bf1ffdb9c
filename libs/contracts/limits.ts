/** Limits and lifetimes of the product. "Our choice" marks those that the specification does not define. */
export const limits = {
  /** Web API requests that a site may send in one window (specification, Limits); a setting of the site. */
  requests_per_window: 10_000,
  rate_window_seconds: 60,
  /** Requests with a wrong key or address that one source address may send in a window. Our choice. */
  rejected_requests_per_window: 600,
  /** Failed client authentications at the token endpoint in a window, per client and address. Our choice. */
  client_failures_per_window: 30,
  /** Logins that one source address may start in a window; a setting. Our choice. */
  started_logins_per_window: 600,
  /** `Retry-After` of 503 responses. Our choice. */
  retry_after_seconds: 2,
  /** `users` page size (specification, Limits). */
  users_default: 20,
  users_maximum: 100,
  /** Length and number of parameters of one request. Our choice. */
  parameters_bytes: 16_384,
  parameters_pairs: 64,
  /** Longest period of a `users` filter. Our choice: ten years. */
  period_maximum_seconds: 10 * 366 * 86_400,
  /** Metadata of a user: bytes of both parts together as compact JSON in UTF-8, and nested objects and arrays. Our choice. */
  metadata_bytes: 8_192,
  metadata_depth: 8,
  /** Paths of metadata by which the lists of a site can be filtered, and characters of a value. Our choice. */
  metadata_search_paths: 10,
  metadata_search_characters: 255,
  /** Changes of the metadata of one user by applications per `rate_window_seconds`: each can be an event. Our choice. */
  metadata_changes_per_window: 30,
  /** Bytes up to which an ID Token has metadata and answers, because browsers carry ID Tokens in URLs. Our choice. */
  user_claims_bytes: 2_048,
  /** Documents of the terms of a site, their languages, and documents that a user can have answers to. Our choice. */
  terms_documents: 10,
  terms_languages: 30,
  consents_per_user: 50,
  /** How long a login waits for the answers of the end user. Our choice. */
  pending_terms_seconds: 1_800,
  /**
   * JSON Schema of a part of the metadata: bytes as compact JSON, values including those that a `$ref` repeats, compiled schemas of
   * sites in memory, and characters of the place in an error. Our choice.
   */
  metadata_schema_bytes: 16_384,
  metadata_schema_values: 2_000,
  metadata_schemas_in_memory: 100,
  metadata_place_characters: 200,
  /** Lifetime of a `next_uri`. Our choice. */
  cursor_seconds: 86_400,
  /** How long a repeat with the same `Idempotency-Key` receives the first response. Our choice. */
  stored_response_seconds: 86_400,
  /** Lifetimes of pending logins, codes and tokens. Our choice. */
  pending_login_seconds: 600,
  /** How long browsers and servers may cache a site's list of login buttons. Our choice. */
  login_buttons_cache_seconds: 60,
  /** Time a browser has to continue after a provider's form post. Our choice. */
  posted_callback_seconds: 60,
  authorization_code_seconds: 60,
  access_token_seconds: 3_600,
  id_token_seconds: 600,
  /** Idle and absolute lifetime of a browser's session with a site, for `prompt=none`. Our choice. */
  session_idle_seconds: 3_600,
  session_absolute_seconds: 43_200,
  /** Maximum sessions of a user with a site; a further one ends the one that was used least recently. Our choice. */
  user_sessions: 100,
  /** How long ago a login may be for what cannot be undone on the account page. Our choice. */
  fresh_login_seconds: 300,
  /** Longest waiting period before end users are deleted who ask for it. Our choice. */
  deletion_waiting_days: 90,
  /** Lifetimes of association tokens and one-time tokens, both single use. Our choice. */
  association_token_seconds: 1_800,
  one_time_token_seconds: 300,
  /** How long revocation at a login provider is retried after an end user was deleted or unlinked. Our choice. */
  provider_revocation_seconds: 259_200,
  /** Older provider webhooks are rejected. Our choice. */
  provider_webhook_age_seconds: 86_400,
  /** How long the status page of a data deletion is available. Our choice: a year. */
  data_deletion_page_seconds: 31_536_000,
  /** Time limits of a Web API request, and of the callback of a login. Our choice. */
  web_api_deadline_ms: 5_000,
  login_deadline_ms: 10_000,
  /** Idle and absolute lifetime of a console session; how long a confirmation by passkey is valid. Our choice. */
  console_session_idle_seconds: 1_800,
  console_session_absolute_seconds: 43_200,
  console_confirmation_seconds: 300,
  /** Lifetimes of an invitation and of a passkey challenge. Our choice. */
  console_link_seconds: 86_400,
  console_challenge_seconds: 300,
  /** Failed sign-ins and invalid tokens of one address in a window, and pending sign-ins per address. Our choice. */
  console_failures_per_window: 120,
  console_failures_window_seconds: 600,
  console_pending_sign_ins: 200,
  /** Domains of an account, claims that give roles, and how long the result of a test sign-in can be read. Our choice. */
  sign_in_domains: 20,
  sign_in_role_rules: 100,
  sign_in_test_seconds: 600,
  /** Maximum request body of the Admin API. Our choice. */
  console_body_bytes: 262_144,
  /** Retention of usage per minute, hour and day, of callers' addresses, and of single requests. Our choice. */
  usage_minutes_seconds: 7_200,
  usage_hours_seconds: 35 * 86_400,
  usage_days_seconds: 400 * 86_400,
  usage_callers_seconds: 7 * 86_400,
  stored_requests_seconds: 3 * 86_400,
  /** The newest requests that are stored per site. Our choice. */
  stored_requests_per_site: 200_000,
  /** The newest rejections that are stored per site, as long as logins. Our choice. */
  stored_rejections_per_site: 5_000,
  /**
   * The log of logins: records that one replica accepts of a source address, of a site and in all between two reports, so that
   * a flood fills neither memory nor database; the newest logins that are stored per site; days, a setting. Our choice.
   */
  login_records_per_address: 1_500,
  login_records_per_site: 10_000,
  login_records: 20_000,
  stored_logins_per_site: 200_000,
  login_log_days: 3,
  /** Page size of the log of logins, and groups of logins. Our choice. */
  listed_logins_default: 50,
  listed_logins_maximum: 200,
  login_groups_maximum: 200,
  /** How long an export of users can be downloaded, and how long it is listed. Our choice. */
  /**
   * Bulk changes of users: identifiers in a request, users of a step, changes of a site that have not ended, stored failures of a
   * change, users that a preview counts, seconds before deletions start by default, and how long ended changes are listed. Our choice.
   */
  bulk_identifiers: 1_000,
  bulk_step_users: 100,
  bulk_open_changes: 20,
  bulk_stored_failures: 1_000,
  bulk_previewed_users: 10_000,
  bulk_deletion_wait_seconds: 86_400,
  bulk_listed_seconds: 30 * 86_400,
  export_seconds: 86_400,
  export_listed_seconds: 30 * 86_400,
  /** Columns of a CSV export. Our choice. */
  export_columns: 100,
  /** Login providers that a site can configure. Our choice. */
  configured_providers: 100,
  /** Bytes of a picture of a theme, and versions of a look that can be restored. Our choice. */
  picture_bytes: 500_000,
  look_versions: 50,
  /**
   * Deletion of inactive users: days since the last login, longest notice in days, and users that a preview reads. Our choice.
   */
  inactivity_days_least: 30,
  inactivity_days_most: 3_650,
  inactivity_notice_days: 90,
  inactivity_previewed_users: 100_000,
  /** Deletions in a page of the list, and days that receipts of deletions are kept. Our choice. */
  erasures_maximum: 100,
  erasure_receipt_days: 400,
  /** Sites that a search returns at most. Our choice. */
  found_sites: 20,
  /** Users that a search returns at most. Our choice. */
  found_users: 50,
  /** How long a requested deletion of a site can be approved. Our choice: a week. */
  site_deletion_approval_seconds: 7 * 86_400,
  /** How long requests and messages that began before a site was closed can take, until its data is deleted. Our choice. */
  site_deletion_pause_seconds: 60,
  /** Hosts that a site can have. Our choice. */
  site_hosts: 10,
  /** How often the proof of a host is checked again, and how long it may be missing before the host is suspended. Our choice. */
  host_check_seconds: 6 * 3_600,
  host_missing_proof_seconds: 3 * 86_400,
  /** How long a host that was claimed waits for its proof. Our choice. */
  host_claim_seconds: 14 * 86_400,
  /** Users, and bytes as JSON, of one batch of an import: a message of the bus. Our choice. */
  import_batch_users: 500,
  import_batch_bytes: 393_216,
  /** The first rejected lines that an import stores for its report, and how long an import is listed. Our choice. */
  import_stored_rejections: 10_000,
  import_listed_seconds: 30 * 86_400,
  /** `events` page size and the longest `wait` of a request. Our choice. */
  events_default: 100,
  events_maximum: 1_000,
  /** The latest events of a user that are read at once. Our choice. */
  user_history_entries: 100,
  events_wait_seconds: 30,
  /** How long events remain in the stream; a setting. Our choice. */
  events_days: 30,
  /** Streams of the audit trail of an account, and of the whole installation. Our choice. */
  audit_streams: 10,
  /** Endpoints of webhooks of a site (our choice), deliveries on a page, and events that one request plans again. */
  webhook_endpoints: 10,
  webhook_deliveries_maximum: 100,
  replayed_events: 10_000,
  /** How long earlier secrets of an endpoint can remain valid. Our choice: a week. */
  webhook_secret_overlap_hours: 168,
  /** Channels for notices of an account, and how long an e-mail address can be confirmed. Our choice. */
  notice_channels: 20,
  notice_confirmation_seconds: 7 * 86_400,
  /** Requests for links to confirm addresses that an account may make in a day, which limits unwanted e-mail. Our choice. */
  notice_links_per_day: 50,
  /** Pause between two links to confirm the same address. Our choice. */
  notice_confirmation_pause_seconds: 60,
  /** Notices in one message. Our choice. */
  notices_per_message: 20,
  /** How long delivered notices, and the networks from which a key was used, are stored. Our choice. */
  stored_notices_seconds: 30 * 86_400,
  key_network_seconds: 90 * 86_400,
  /** Events, bytes as JSON, and sites of the events, of one message of the bus. Our choices. */
  event_batch: 500,
  event_batch_bytes: 393_216,
  /** A distributed database records the events of each site in a transaction of its own. */
  event_batch_sites: 100,
} as const
