import { z } from 'zod'
import { limits } from '../limits.ts'
import { BrowserFamily, Country, LoginReason, loginEndResults, loginKinds } from '../objects/login-record.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { ExplainedRejection } from './rejections.ts'
import { SiteReference } from './sites.ts'

/**
 * `waiting`: the end user is at the provider. `abandoned`: the browser did not come back. `completed`, `denied` by the end user,
 * `failed` at the provider or in this service, or `rejected` by our rules.
 */
export const LoginResult = z.enum(['waiting', 'abandoned', ...loginEndResults])
export type LoginResult = z.infer<typeof LoginResult>

/** A kind of login, or `token`: a rejected token request of an unknown login. */
const LogKind = z.enum([...loginKinds, 'token'])

const Duration = Count.nullable()

/** A login, or a request that was rejected before there was one. Null: unknown, or the login has not reached the step. */
export const LoginLogEntry = z.object({
  /** The ID of the login; for a rejected request, its X-Request-Id. */
  login_id: z.uuid(),
  at: Timestamp,
  kind: LogKind,
  provider: Provider.nullable(),
  /** As received, if the request was rejected. */
  client_id: z.string().nullable(),
  result: LoginResult,
  reason: LoginReason,
  /** As sent to the application; null: none was sent. */
  error: z.string().nullable(),
  /** The user. */
  identifier: Identifier.nullable(),
  is_new_user: z.boolean().nullable(),
  browser: BrowserFamily.nullable(),
  country: Country.nullable(),
  /** Whether an administrator ran the login to try provider settings. */
  is_test: z.boolean(),
  ended_at: Timestamp.nullable(),
  /** How long the end user was at the provider, in milliseconds. */
  at_provider_ms: Duration,
  /** Our requests to the provider. */
  provider_ms: Duration,
  /** Recording the login in our services. */
  recording_ms: Duration,
  /** From the browser’s return to our response, or the whole request of a native app. */
  callback_ms: Duration,
})

/** The steps of a login, in the order of a successful one. */
export const loginStepNames = [
  'started',
  'returned',
  'provider_requests',
  'recorded',
  'ended',
  'redeemed',
  'redemption_rejected',
] as const

const Step = z.object({
  step: z.enum(loginStepNames),
  at: Timestamp,
  /** Milliseconds since the start. */
  after_ms: Count,
  /** Milliseconds that the step took; null: it has no duration. */
  duration_ms: Duration,
})

/** Everything that is known about a login. */
export const LoginLogDetails = LoginLogEntry.extend({
  /** What happened, why, and what to do. */
  explanation: z.string(),
  steps: z.array(Step),
  /** The X-Request-Id of the request that started the login, and of the one that ended it, for the operator’s log. */
  started_by: z.uuid().nullable(),
  ended_by: z.uuid().nullable(),
  /** The rejected request: to start the login, or to exchange its code. */
  rejection: ExplainedRejection.nullable(),
})

const filter = {
  provider: Provider.optional(),
  client_id: Text.max(128).optional(),
  result: LoginResult.optional(),
  reason: LoginReason.optional(),
  identifier: Identifier.optional(),
} as const

const period = { since: Timestamp.optional(), until: Timestamp.optional() } as const

const limit = z.coerce
  .number()
  .pipe(z.int().min(1).max(limits.listed_logins_maximum))
  .default(limits.listed_logins_default)

/** Earlier logins can be missing, because there were too many; null: none is missing. */
const completeSince = { complete_since: Timestamp.nullable() } as const

const filterHelp = {
  provider: 'only logins with this provider',
  client_id: 'only logins of this client',
  identifier: 'only logins of this user',
}

export const loginProcedures = adminProcedures({
  listSiteLogins: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/logins',
    summary: 'Logins of a site in the last days, and rejected requests for logins and tokens; newest first',
    role: 'viewer',
    help: filterHelp,
    input: SiteReference.extend({ ...filter, ...period, limit, cursor: Text.optional() }),
    output: z.object({
      logins: z.array(LoginLogEntry),
      /** Null: there are no further logins. */
      next_cursor: z.string().nullable(),
      ...completeSince,
    }),
  },
  groupSiteLogins: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/logins/groups',
    summary: 'Numbers of logins of a site with the same result, reason, provider and client; the most first',
    role: 'viewer',
    help: filterHelp,
    input: SiteReference.extend({ ...filter, ...period }),
    output: z.object({
      groups: z.array(
        z.object({
          result: LoginResult,
          reason: LoginReason,
          explanation: z.string(),
          provider: Provider.nullable(),
          client_id: z.string().nullable(),
          count: Count,
          first_at: Timestamp,
          last_at: Timestamp,
          newest_login_id: z.uuid(),
        }),
      ),
      /** Whether there are more groups, with fewer logins each. */
      more: z.boolean(),
      ...completeSince,
    }),
  },
  listEndedLogins: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/logins/ended',
    summary: 'Logins of a site in the order in which their ends were recorded, to follow them',
    role: 'viewer',
    help: {
      after: 'next_after of the previous page; newest: only later logins; omitted: from the oldest stored login',
    },
    input: SiteReference.extend({ limit, after: Text.optional() }),
    output: z.object({ logins: z.array(LoginLogEntry), next_after: z.string(), more: z.boolean() }),
    faults: { invalid_request: '`after` is not `next_after` of an earlier response.' },
  },
  readSiteLogin: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/logins/{login_id}',
    summary: 'A login with its steps, and why it ended',
    role: 'viewer',
    input: SiteReference.extend({ login_id: z.uuid() }),
    output: LoginLogDetails,
  },
})
