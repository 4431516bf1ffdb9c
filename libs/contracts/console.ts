import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { EndUserAction } from './objects/end-user-action.ts'
import { browserFields, LoginKind, LoginLogRecord } from './objects/login-record.ts'
import { RejectionReason, rejectionFields } from './objects/rejection.ts'
import { Provider } from './providers.ts'
import { Count, Site } from './scalars.ts'

/** Identifies one report of one process, so that a repeated report is counted once. */
const report = { source: z.uuid(), sequence: Count }

/** Whole minutes since 1970. */
const Minute = Count

/** Number of a site's Web API requests with one error code in one minute. Code 0: no error. */
export const ResponseCount = z.object({ minute: Minute, site: Site, operation: z.string(), code: Count, calls: Count })
export type ResponseCount = z.infer<typeof ResponseCount>

/** Number of calls with one key from one address in one minute. A null address combines those that are not reported individually. */
export const CallerCount = z.object({
  minute: Minute,
  site: Site,
  api_key_id: z.uuid(),
  address: z.string().nullable(),
  calls: Count,
  /** Unix time in milliseconds. */
  last_at: Count,
})
export type CallerCount = z.infer<typeof CallerCount>

/** Result of one request. Without a site: its key does not belong to any site. */
export const RequestRecord = z.object({
  request_id: z.uuid(),
  /** Unix time in milliseconds. */
  at: Count,
  site: Site.nullable(),
  api_key_id: z.uuid().nullable(),
  address: z.string().nullable(),
  operation: z.string(),
  status: z.int(),
  code: Count.nullable(),
  remaining: Count.nullable(),
  duration_ms: z.number(),
  /** For a rejected request: `parameter`, `reason` (a `FaultReason`) and `documentation` of its error. */
  parameter: z.string().nullable().default(null),
  reason: z.string().nullable().default(null),
  documentation: z.string().nullable().default(null),
  /** Names that are not parameters of the operation, except names that may be a value sent by mistake. */
  unknown_parameters: z.array(z.string()).default([]),
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** A rejected request to the authorization or token endpoint, or of a native app. `site` is null if the request named no existing client or site. */
export const RejectionRecord = z.object({
  ...rejectionFields,
  /** A newer provider-auth can send reasons that this release does not know. */
  reason: RejectionReason.catch('other'),
  /** Unix time in milliseconds. */
  at: Count,
  site: Site.nullable(),
  /** The kind of login that was requested; null: a token request. */
  kind: LoginKind.nullable().default(null),
  /** Null: the request named no provider. */
  provider: Provider.nullable().default(null),
  ...browserFields,
  /** The login whose code the application tried to exchange; null: unknown, or the request was to start a login. */
  login_id: z.uuid().nullable().default(null),
})
export type RejectionRecord = z.infer<typeof RejectionRecord>

/** The first five are the steps of logins; `login` and `new_user` count recorded logins and created users. */
export const loginSteps = ['started', 'returned', 'completed', 'denied', 'failed', 'login', 'new_user'] as const
export const LoginStep = z.enum(loginSteps)
export type LoginStep = z.infer<typeof LoginStep>

export const LoginCount = z.object({ minute: Minute, site: Site, provider: Provider, step: LoginStep, count: Count })
export type LoginCount = z.infer<typeof LoginCount>

/** Calls to a login provider, and how many of them failed: timeout or status 5xx. */
export const ProviderCallCount = z.object({ minute: Minute, provider: Provider, calls: Count, failed: Count })
export type ProviderCallCount = z.infer<typeof ProviderCallCount>

export const circuitStates = ['closed', 'half_open', 'open'] as const
export const CircuitState = z.enum(circuitStates)
export type CircuitState = z.infer<typeof CircuitState>

/** Reports of other services to the console. The console ignores a report that it has received before. */
export const consoleContract = defineContract(
  'console',
  {
    /** Adds what an end user did to the audit trail. It is in the outbox of the service that stored the effect. */
    recordEndUserAction: { input: EndUserAction, output: z.object({}), faults: [], repeatable: true },
    reportCalls: {
      input: z.object({
        ...report,
        responses: z.array(ResponseCount),
        callers: z.array(CallerCount),
        requests: z.array(RequestRecord),
      }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    reportRejections: {
      input: z.object({ ...report, rejections: z.array(RejectionRecord) }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    reportLoginRecords: {
      input: z.object({
        ...report,
        logins: z.array(LoginLogRecord),
        /** Sites of which records were dropped since the last report, because there were too many. */
        incomplete_sites: z.array(Site),
      }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    reportLogins: {
      input: z.object({
        ...report,
        logins: z.array(LoginCount),
        provider_calls: z.array(ProviderCallCount),
        /** The circuit of every provider that the source has called. */
        circuits: z.array(z.object({ provider: Provider, state: CircuitState })),
      }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
  },
  availabilityNotice,
)
