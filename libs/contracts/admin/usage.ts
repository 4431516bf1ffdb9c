import { z } from 'zod'
import { faultReasonNames } from '../fault-details.ts'
import { Provider } from '../providers.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { requestExplanationNames } from './explanations.ts'
import { adminProcedures } from './procedure.ts'
import { ExplainedRejection } from './rejections.ts'
import { SiteName } from './sites.ts'

/** A day in hours, a month in days, a year in months. */
export const UsagePeriod = z.enum(['day', 'month', 'year'])

const Point = z.object({ at: Timestamp, count: Count })

export const usageProcedures = adminProcedures({
  readLoginInsight: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/insight/logins',
    summary: 'Logins and new users by provider over time, and the steps that logins reached',
    role: 'viewer',
    input: SiteName.extend({ span: UsagePeriod.default('month') }),
    output: z.object({
      logins: z.partialRecord(Provider, z.array(Point)),
      new_users: z.partialRecord(Provider, z.array(Point)),
      funnel: z.partialRecord(
        Provider,
        z.object({ begun: Count, returned: Count, completed: Count, denied: Count, failed: Count }),
      ),
    }),
  },
  readCallInsight: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/insight/calls',
    summary: 'Web API calls over time by result, and the rate limit',
    role: 'viewer',
    input: SiteName.extend({ span: UsagePeriod.default('day') }),
    output: z.object({
      requests_per_window: Count,
      busiest_window: Count,
      calls: z.array(Point),
      limited: z.array(Point),
      /** By the Web API's error code; those without an error are 0. */
      codes: z.array(z.object({ code: Count, count: Count })),
      operations: z.array(z.object({ operation: z.string(), count: Count })),
    }),
  },
  explainRequest: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/requests/{request_id}',
    summary: 'Result of a Web API request, or why an authorization or token request was rejected, by X-Request-Id',
    role: 'viewer',
    input: SiteName.extend({ request_id: z.uuid() }),
    output: z.union([
      z.object({
        request_id: z.uuid(),
        at: Timestamp,
        operation: z.string(),
        /** The key it came with; null: none of the site's. */
        api_key_id: z.uuid().nullable(),
        address: z.string(),
        status: z.int(),
        code: Count.nullable(),
        /** What became of it, by name, and in words: what was refused, and why. */
        explained_as: z.enum(requestExplanationNames),
        explanation: z.string(),
        remaining: Count.nullable(),
        duration_ms: z.number(),
        /** Members of the error object; null if it has none or the request succeeded. */
        parameter: z.string().nullable(),
        reason: z.enum(faultReasonNames).nullable(),
        reason_explanation: z.string().nullable(),
        documentation: z.string().nullable(),
        /** Parameters that the operation does not have, for example misspelled ones. */
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
    input: SiteName.extend({ client_id: Text }),
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
