import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Count, Site } from '../scalars.ts'
import { rejectionReasons } from './rejection.ts'
import { LoginAdvice } from './test-login.ts'

/**
 * `openid`: an authorization request. `site`: a site's own page, for a one-time token. `link`: links another account.
 * `native`: a native app with the SDK of a provider. `account`: the account page.
 */
export const loginKinds = ['openid', 'site', 'link', 'native', 'account'] as const
export const LoginKind = z.enum(loginKinds)
export type LoginKind = z.infer<typeof LoginKind>

/** Browsers of end users. `other_app`: a web view of another app. `other`: anything else. */
export const browserFamilies = [
  'chrome',
  'edge',
  'safari',
  'firefox',
  'samsung',
  'line',
  'yahoo_japan',
  'other_app',
  'other',
] as const
export const BrowserFamily = z.enum(browserFamilies)
export type BrowserFamily = z.infer<typeof BrowserFamily>

/** A country: ISO 3166-1 alpha-2, upper case. */
export const Country = z.string().regex(/^[A-Z]{2}$/)

/** What is stored of a browser, instead of its User-Agent and address. Null: unknown, or there is no browser. */
export const browserFields = {
  browser: BrowserFamily.nullable().default(null),
  country: Country.nullable().default(null),
} as const

/**
 * How a login ended: `completed`, `denied` by the end user, `failed` at the provider or in this service, or `rejected` by
 * our rules.
 */
export const loginEndResults = ['completed', 'denied', 'failed', 'rejected'] as const
export const LoginEndResult = z.enum(loginEndResults)
export type LoginEndResult = z.infer<typeof LoginEndResult>

/** What a provider's failure is about: the reason `provider_<advice>`. */
const providerReasons = LoginAdvice.options.map((advice) => `provider_${advice}` as const)

/** Reasons of logins in addition to those of rejected requests. */
export const loginOnlyReasons = [
  // States that are computed when the log is read.
  'succeeded',
  'code_not_redeemed',
  'not_returned_yet',
  'not_returned',
  // The end user.
  'denied_by_user',
  'terms_declined',
  'user_mismatch',
  'authentication_too_old',
  'login_expired',
  'other_browser',
  'other_provider',
  // Linking, and logins of existing users only.
  'association_token_invalid',
  'provider_already_linked',
  'account_of_another_user',
  'user_not_found',
  // The provider.
  'provider_error',
  ...providerReasons,
  // This service.
  'service_unavailable',
  'internal_error',
] as const

/** Stable names of the reasons why logins have their results: one list for all results. */
export const LoginReason = z.enum([...rejectionReasons, ...loginOnlyReasons])
export type LoginReason = z.infer<typeof LoginReason>

/** Unix time in milliseconds. */
const Time = Count
const Duration = Count.nullable().default(null)
const RequestId = z.uuid().nullable().default(null)

/** The start of a login. Only the report of the request that started it has the browser and the request ID. */
export const LoginStart = z.object({
  at: Time,
  kind: LoginKind,
  provider: Provider,
  /** Null: a native app that sends no client ID. */
  client_id: z.string().max(128).nullable(),
  is_test: z.boolean().default(false),
  ...browserFields,
  request_id: RequestId,
})
export type LoginStart = z.infer<typeof LoginStart>

/** The end of a login. Durations are in milliseconds; null: the login did not reach the step. */
export const LoginEnd = z.object({
  at: Time,
  /** When the browser returned from the provider; null: it did not. */
  returned_at: Time.nullable().default(null),
  result: LoginEndResult,
  /** Null for a completed login. A newer provider-auth can send reasons that this release does not know. */
  reason: LoginReason.nullable().catch('other'),
  /** As sent to the application; null: none was sent. */
  error: z.string().max(64).nullable().default(null),
  /** The identifier of the user who logged in, or of the user of a link. */
  identifier: z.string().max(40).nullable().default(null),
  is_new_user: z.boolean().nullable().default(null),
  /** Whether the application received a code to exchange. */
  has_code: z.boolean().default(false),
  /** All requests to the provider. */
  provider_ms: Duration,
  /** Recording the login in our services. */
  recording_ms: Duration,
  /** The whole callback, or the whole request of a native app. */
  callback_ms: Duration,
  request_id: RequestId,
})
export type LoginEnd = z.infer<typeof LoginEnd>

/**
 * What one request says about a login. Records of one login have the same ID. Their order does not matter: the console
 * merges them.
 */
export const LoginLogRecord = z.object({
  site: Site,
  login_id: z.uuid(),
  start: LoginStart.nullable().default(null),
  end: LoginEnd.nullable().default(null),
  /** When the application exchanged the code. */
  redeemed_at: Time.nullable().default(null),
})
export type LoginLogRecord = z.infer<typeof LoginLogRecord>
