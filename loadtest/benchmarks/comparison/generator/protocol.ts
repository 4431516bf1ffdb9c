import { z } from 'zod'
import { LoginSite } from '../../../seed/prepared.ts'

/** One HTTP request, with the response that it must receive. */
export const LoadRequest = z.object({
  method: z.enum(['GET', 'POST']),
  /** Path and query. */
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  status: z.int(),
  /** Texts that the body contains. Checked in a sample of the responses. */
  contains: z.array(z.string()).default([]),
})
export type LoadRequest = z.input<typeof LoadRequest>

/** The requests of one customer's server, which sends them over its own connections. */
export const LoadGroup = z.array(LoadRequest).min(1)

export const LoadShape = z.object({
  /** Base URLs. Connections are distributed over them. */
  addresses: z.array(z.url()).min(1),
  /** Requests in flight; each has a connection. Without a rate, the next request starts when one has its response. */
  in_flight: z.int().min(1),
  /** Requests per second, sent regardless of responses, by at most `in_flight` connections. */
  rate: z.number().positive().optional(),
  /** Sent before, without being counted. */
  lead_ms: z.number().nonnegative(),
  duration_ms: z.number().positive(),
  /** Then the connection is replaced by one of the next customer. */
  requests_per_connection: z.int().min(1),
})
export type LoadShape = z.input<typeof LoadShape>

const LoginClient = z.object({ client_id: z.string(), client_secret: z.string(), redirect_uri: z.string() })

/** Where the generator logs end users in, as a browser and an application together. */
export const LoginTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('product'), auth: z.url(), login_site: LoginSite }),
  /** A peer with a login form of its own. */
  z.object({ kind: z.literal('oidc-provider'), address: z.url(), client: LoginClient }),
  /** Only the exchange with the login provider. */
  z.object({ kind: z.literal('exchange'), address: z.url() }),
])
export type LoginTarget = z.infer<typeof LoginTarget>

export const GeneratorCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('logins'), name: z.string(), target: LoginTarget }),
  z.object({ type: z.literal('workload'), name: z.string(), groups: z.array(LoadGroup).min(1) }),
  z.object({ type: z.literal('run'), workload: z.string(), shape: LoadShape }),
])
export type GeneratorCommand = z.input<typeof GeneratorCommand>

export const LoadTimes = z.object({
  /** Requests that received the expected response. */
  completed: z.int(),
  p50_ms: z.number(),
  p99_ms: z.number(),
})
export type LoadTimes = z.infer<typeof LoadTimes>

export const LoadResult = LoadTimes.extend({
  seconds: z.number(),
  /** The same by operation, which is the path of a request without its query. */
  operations: z.record(z.string(), LoadTimes),
})
export type LoadResult = z.infer<typeof LoadResult>

export const GeneratorReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** The counted part begins now. */
  z.object({ type: z.literal('counting') }),
  z.object({ type: z.literal('done'), result: LoadResult }),
  z.object({ type: z.literal('failed'), reason: z.string() }),
])
export type GeneratorReport = z.infer<typeof GeneratorReport>
