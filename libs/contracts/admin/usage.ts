import { z } from 'zod'
import { faultReasonNames } from '../fault-details.ts'
import { Provider } from '../providers.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { requestExplanationNames } from './explanations.ts'
import { adminProcedures } from './procedure.ts'
import { ExplainedRejection } from './rejections.ts'
import { SiteReference } from './sites.ts'

/** A day in hours, a month in days, a year in months. */
export const UsagePeriod = z.enum(['day', 'month', 'year'])

/** Counts of the day, month or year before instead, to compare with. */
const previous = z.stringbool().default(false)

const Point = z.object({ at: Timestamp, count: Count })

export const usageProcedures = adminProcedures({
  readLoginUsage: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/usage/logins',
    summary: 'Logins and new users by provider over time, and the steps that logins reached',
    role: 'viewer',
    input: SiteReference.extend({ span: UsagePeriod.default('month'), previous }),
    output: z.object({
      logins: z.partialRecord(Provider, z.array(Point)),
      new_users: z.partialRecord(Provider, z.array(Point)),
      funnel: z.partialRecord(
        Provider,
        z.object({ started: Count, returned: Count, completed: Count, denied: Count, failed: Count }),
      ),
    }),
  },
  readApiUsage: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/usage/api',
    summary: 'Web API calls over time, by error code and operation, and the rate limit',
    role: 'viewer',
    input: SiteReference.extend({ span: UsagePeriod.default('day'), previous }),
    output: z.object({
      requests_per_window: Count,
      busiest_window: Count,
      calls: z.array(Point),
      limited: z.array(Point),
      /** Calls by error code of the Web API; 0: no error. */
      codes: z.array(z.object({ code: Count, count: Count })),
      operations: z.array(z.object({ operation: z.string(), count: Count })),
    }),
  },
  explainRequest: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/requests/{request_id}',
    summary: 'Result of a Web API request, or why an authorization or token request was rejected, by X-Request-Id',
    role: 'viewer',
    input: SiteReference.extend({ request_id: z.uuid() }),
    output: z.union([
      z.object({
        request_id: z.uuid(),
        at: Timestamp,
        operation: z.string(),
        /** The key of the request; null: not a key of the site. */
        api_key_id: z.uuid().nullable(),
        address: z.string(),
        status: z.int(),
        code: Count.nullable(),
        /** Name of the result, and what happened, why, and what to do. */
        result: z.enum(requestExplanationNames),
        explanation: z.string(),
        remaining: Count.nullable(),
        duration_ms: z.number(),
        /** Fields of the error object; null if it does not have the field, or the request succeeded. */
        parameter: z.string().nullable(),
        reason: z.enum(faultReasonNames).nullable(),
        reason_explanation: z.string().nullable(),
        documentation: z.string().nullable(),
        /** Parameters that the operation does not have, for example misspelled names. */
        unknown_parameters: z.array(z.string()),
      }),
      ExplainedRejection,
    ]),
  },
  listRejections: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}/rejections',
    summary: 'Rejected authorization and token requests of a client in the last three days, newest first, at most 100',
    role: 'viewer',
    input: SiteReference.extend({ client_id: Text }),
    output: z.object({ rejections: z.array(ExplainedRejection) }),
  },
  readProviderHealth: {
    method: 'GET',
    path: '/providers/health',
    summary: 'Results of the calls to each login provider in the last hour',
    role: 'member',
    input: z.object({}),
    output: z.object({
      providers: z.array(
        z.object({ provider: Provider, calls: Count, failed: Count, circuit: z.enum(['closed', 'half_open', 'open']) }),
      ),
    }),
  },
})
