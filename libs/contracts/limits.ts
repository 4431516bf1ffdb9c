/** Figures of the product, each named once. "Our choice" where the specification gives none. */
export const limits = {
  /** Web API requests a site may make in one window (specification, Limits); a setting of the site. */
  requests_per_window: 10_000,
  rate_window_seconds: 60,
  /** Requests refused for their key or address that one source address may make in a window. Our choice. */
  rejected_requests_per_window: 600,
  /** Failed client authentications at the token endpoint, of one client from one address, in a window. Our choice. */
  client_failures_per_window: 30,
  /** Logins that one source address may start in a window; a setting. Our choice. */
  started_logins_per_window: 600,
  /** What `Retry-After` says while a part of the service is away. Our choice. */
  retry_after_seconds: 2,
  /** `users` page size (specification, Limits). */
  users_default: 20,
  users_maximum: 100,
  /** Query or form of one request. Our choice. */
  parameters_bytes: 16_384,
  parameters_pairs: 64,
  /** Longest period of a `users` filter. Our choice: ten years. */
  period_maximum_seconds: 10 * 366 * 86_400,
  /** Life of a `next_uri`. Our choice. */
  cursor_seconds: 86_400,
  /** How long a repeat with the same `Idempotency-Key` gets the first answer. Our choice. */
  stored_response_seconds: 86_400,
  /** Lives of what a login hands out. Our choice. */
  pending_login_seconds: 600,
  /** How long browsers and servers may cache a site's list of login buttons. Our choice. */
  login_buttons_cache_seconds: 60,
  /** How soon a browser goes on that a provider had post its answer. Our choice. */
  posted_callback_seconds: 60,
  authorization_code_seconds: 60,
  access_token_seconds: 3_600,
  id_token_seconds: 600,
  /** A browser's session with a site, for `prompt=none`: unused, and in all. Our choice. */
  session_idle_seconds: 3_600,
  session_absolute_seconds: 43_200,
  /** Lives of an association token and of a one-time token, both single use. Our choice. */
  association_token_seconds: 1_800,
  one_time_token_seconds: 300,
  /** How long a login provider is asked again to end what a person granted, after the person left. Our choice. */
  provider_revocation_seconds: 259_200,
  /** Age at which a login provider's notice is refused. Our choice. */
  provider_webhook_age_seconds: 86_400,
  /** How long the page of a data deletion is shown. Our choice: a year. */
  data_deletion_page_seconds: 31_536_000,
  /** Time one Web API request may take in all, and one login's way back from the provider. Our choice. */
  web_api_deadline_ms: 5_000,
  login_deadline_ms: 10_000,
  /** A member's session with the console: unused, and in all; how long a passkey's confirmation holds. Our choice. */
  console_session_idle_seconds: 1_800,
  console_session_absolute_seconds: 43_200,
  console_confirmation_seconds: 300,
  /** Life of an invitation, and of a passkey's challenge. Our choice. */
  console_link_seconds: 86_400,
  console_challenge_seconds: 300,
  /** Failed sign-ins and bad tokens of one address in a window, and unfinished sign-ins it can have. Our choice. */
  console_failures_per_window: 120,
  console_failures_window_seconds: 600,
  console_pending_sign_ins: 200,
  /** Body of a request to the Admin API. Our choice. */
  console_body_bytes: 262_144,
  /** How long usage is kept, in minutes, hours and days; and addresses of callers and single requests. Our choice. */
  usage_minutes_seconds: 7_200,
  usage_hours_seconds: 35 * 86_400,
  usage_days_seconds: 400 * 86_400,
  usage_callers_seconds: 7 * 86_400,
  stored_requests_seconds: 3 * 86_400,
  /** Of one site at most so many single requests, the newest. Our choice. */
  stored_requests_per_site: 200_000,
  /** Rejected requests stored for one site, the newest; for as long as `stored_requests_seconds`. Our choice. */
  stored_rejections_per_site: 5_000,
  /** How long an export of users can be fetched, and is listed afterwards. Our choice. */
  export_seconds: 86_400,
  export_listed_seconds: 30 * 86_400,
} as const
