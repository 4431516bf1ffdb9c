/** A dashboard as data. */
export interface DashboardDefinition {
  /** Alerts name a board by `social-login-<name>`, its uid. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Variables in addition to namespace and release. */
  readonly chooses?: readonly DashboardVariable[]
  readonly rows: readonly Row[]
}

/** `service`: a process by its `service_name`; `provider`: a login provider. */
export type DashboardVariable = 'service' | 'provider'

interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  /** What readers need to interpret the panel. */
  readonly description: string
  /** Of Grafana: `s`, `reqps`, `percentunit`, `short`, `bytes`, … */
  readonly unit: string
  /** By the legend of its series. */
  readonly queries: Readonly<Record<string, string>>
  /** `stat`: only the current value. `stacked`: series that add up. */
  readonly as?: 'stat' | 'stacked'
  readonly min?: number
  readonly max?: number
  /** Values from here on are a warning or critical; with `below`, values down to here. */
  readonly thresholds?: { readonly warning?: number; readonly critical?: number; readonly below?: true }
  /** Alerts about the data of this panel. The panel links to their runbooks. */
  readonly alerts?: readonly string[]
}

/** Series of a metric of ours, in the namespace and release that are looked at. */
export function selectOwn(metric: string, labels = ''): string {
  return select(metric, 'namespace=~"$namespace"', 'release=~"$release"', labels)
}

/** Series of a metric of Kubernetes, in the namespace that is looked at. */
export function selectInNamespace(metric: string, labels = ''): string {
  return select(metric, 'namespace=~"$namespace"', labels)
}

/** Series of a server's exporter, wherever it is: of the job it is scraped as. */
export function selectByJob(job: 'postgres' | 'redis' | 'nats' | 'probe', metric: string, labels = ''): string {
  return select(metric, `job="social-login-${job}"`, labels)
}

function select(metric: string, ...labels: readonly string[]): string {
  return `${metric}{${labels.filter((label) => label !== '').join(',')}}`
}

/** Growth a second of a counter. */
export function rateOfSeries(series: string): string {
  return `rate(${series}[$__rate_interval])`
}

/** Growth of a counter within a step of the graph. */
export function increaseOfSeries(series: string): string {
  return `increase(${series}[$__rate_interval])`
}

/** Growth a second of a counter of ours, or of a histogram's part. */
export function rate(metric: string, labels = ''): string {
  return rateOfSeries(selectOwn(metric, labels))
}

/** A quantile of a histogram, by some labels. */
export function quantile(q: number, metric: string, { by = '', labels = '' } = {}): string {
  return `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (${rate(`${metric}_bucket`, labels)}))`
}

/** p50, p95 and p99 of a histogram. */
export function quantiles(metric: string, labels = ''): Record<string, string> {
  return Object.fromEntries([0.5, 0.95, 0.99].map((q) => [`p${q * 100}`, quantile(q, metric, { labels })]))
}
