/** Describes one metric. */
export interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Each label with its possible values, which must be few; never a key, a user, a site or an address. */
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

export const httpServices: readonly ServiceName[] = ['api-gateway', 'provider-auth', 'console', 'provider-simulator']
export const busCallers: readonly ServiceName[] = ['api-gateway', 'identity', 'provider-auth', 'friendship', 'console']
export const busServers: readonly ServiceName[] = ['identity', 'profile', 'provider-auth', 'friendship', 'console']
export const jobWorkers: readonly ServiceName[] = ['identity', 'profile', 'provider-auth']
export const busServices: readonly ServiceName[] = ['api-gateway', ...busServers]
export const allServices: readonly ServiceName[] = [...busServices, 'provider-simulator']
export const redisServices: readonly ServiceName[] = ['api-gateway', 'provider-auth']

/** The buckets that OpenTelemetry recommends for HTTP, with three smaller ones; 0.25 is the latency objective. */
export const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
