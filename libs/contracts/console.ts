import { z } from 'zod'
import { defineContract } from './define.ts'
import { rejectionFields } from './objects/rejection.ts'
import { Provider } from './providers.ts'
import { Count, Site } from './scalars.ts'

/** Names one report of one process, so that it counts once however often it is sent. */
const report = { source: z.uuid(), sequence: Count }

/** Whole minutes since 1970. */
const Minute = Count

/** How often a site's requests to the Web API were answered so in a minute. Code 0: without an error. */
export const ResponseCount = z.object({ minute: Minute, site: Site, operation: z.string(), code: Count, calls: Count })
export type ResponseCount = z.infer<typeof ResponseCount>

/** How often a key of a site was used from an address in a minute. Null: addresses that are not told one by one. */
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

/** What became of one request. Without a site: its key is none of any site. */
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
  /** If it was rejected: `parameter`, `reason` (a `FaultReason`) and `documentation` of its error. */
  parameter: z.string().nullable().default(null),
  reason: z.string().nullable().default(null),
  documentation: z.string().nullable().default(null),
  /** Names that are not parameters of the operation, except those that may be a value sent by mistake. */
  unknown_parameters: z.array(z.string()).default([]),
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** A rejected request to the authorization or the token endpoint. `site` is null if it named neither a client nor a site of ours. */
export const RejectionRecord = z.object({
  ...rejectionFields,
  /** Unix time in milliseconds. */
  at: Count,
  site: Site.nullable(),
})
export type RejectionRecord = z.infer<typeof RejectionRecord>

/** Where logins get to: of the first five each is a step; `login` and `new_user` are what was recorded at the end. */
export const loginSteps = ['begun', 'returned', 'completed', 'denied', 'failed', 'login', 'new_user'] as const
export const LoginStep = z.enum(loginSteps)
export type LoginStep = z.infer<typeof LoginStep>

export const LoginCount = z.object({ minute: Minute, site: Site, provider: Provider, step: LoginStep, count: Count })
export type LoginCount = z.infer<typeof LoginCount>

/** Calls to a login provider, of which some failed: no answer in time, or one of 5xx. */
export const ProviderCallCount = z.object({ minute: Minute, provider: Provider, calls: Count, failed: Count })
export type ProviderCallCount = z.infer<typeof ProviderCallCount>

export const circuitStates = ['closed', 'half_open', 'open'] as const
export const CircuitState = z.enum(circuitStates)
export type CircuitState = z.infer<typeof CircuitState>

/** What other services report to the console, which shows it. A report that was taken before is taken for done. */
export const consoleReports = defineContract('console', {
  reportCalls: {
    input: z.object({
      ...report,
      answers: z.array(ResponseCount),
      callers: z.array(CallerCount),
      requests: z.array(RequestRecord),
    }),
    output: z.object({}),
    faults: [],
  },
  reportRejections: {
    input: z.object({ ...report, rejections: z.array(RejectionRecord) }),
    output: z.object({}),
    faults: [],
  },
  reportLogins: {
    input: z.object({
      ...report,
      logins: z.array(LoginCount),
      provider_calls: z.array(ProviderCallCount),
      /** Of every provider that the source has asked. */
      circuits: z.array(z.object({ provider: Provider, state: CircuitState })),
    }),
    output: z.object({}),
    faults: [],
  },
})
