/** Describes one metric. */
export interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /**
   * What each label contains, which must be few values; never a key, a user, a site or an address. If all values are known, they are
   * listed: a counter then has every series from the start, with 0.
   */
  readonly labels: Readonly<Record<string, string | LabelValues>>
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
  readonly services: readonly ServiceName[]
}

/** The values of a label with their meaning, which is empty if the value says it. */
export type LabelValues = Readonly<Record<string, string>>

/** Describes the content of a label in Markdown. */
export function describeLabel(content: string | LabelValues): string {
  if (typeof content === 'string') return content
  const values = Object.entries(content)
  const described = values.map(([value, meaning]) => (meaning === '' ? `\`${value}\`` : `\`${value}\`: ${meaning}`))
  return described.join(values.every(([, meaning]) => meaning === '') ? ', ' : '; ')
}

/** Every combination of the values of a metric's labels; none if the values of a label are not known. */
export function combineLabels(labels: MetricDescription['labels']): readonly Readonly<Record<string, string>>[] {
  return Object.entries(labels).reduce<readonly Readonly<Record<string, string>>[]>(
    (combined, [name, content]) =>
      typeof content === 'string'
        ? []
        : combined.flatMap((others) => Object.keys(content).map((value) => ({ ...others, [name]: value }))),
    [{}],
  )
}

export type ServiceName =
  | 'api-gateway'
  | 'identity'
  | 'profile'
  | 'provider-auth'
  | 'friendship'
  | 'events'
  | 'console'
  | 'provider-simulator'

export const httpServices: readonly ServiceName[] = ['api-gateway', 'provider-auth', 'console', 'provider-simulator']
export const busCallers: readonly ServiceName[] = [
  'api-gateway',
  'identity',
  'profile',
  'provider-auth',
  'friendship',
  'events',
  'console',
]
export const busServers: readonly ServiceName[] = [
  'identity',
  'profile',
  'provider-auth',
  'friendship',
  'events',
  'console',
]
export const jobWorkers: readonly ServiceName[] = ['identity', 'profile', 'provider-auth']
export const eventProducers: readonly ServiceName[] = ['identity', 'profile', 'provider-auth', 'friendship']
export const busServices: readonly ServiceName[] = ['api-gateway', ...busServers]
export const allServices: readonly ServiceName[] = [...busServices, 'provider-simulator']
export const replicaReaders: readonly ServiceName[] = ['identity', 'profile']
export const redisServices: readonly ServiceName[] = ['api-gateway', 'provider-auth']

/** The buckets that OpenTelemetry recommends for HTTP, with three smaller ones; 0.25 is the latency objective. */
export const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
