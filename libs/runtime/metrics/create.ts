import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { combineLabels, type MetricDescription } from './description.ts'
import { metrics } from './list.ts'

type Metrics = typeof metrics
type NameOf<T extends MetricDescription['type']> = {
  [N in keyof Metrics]: Metrics[N]['type'] extends T ? N : never
}[keyof Metrics]
type LabelOf<N extends keyof Metrics> = keyof Metrics[N]['labels'] & string

/**
 * Returns the registry's counter of this name and creates it if needed; so do the functions below for other types. A counter whose
 * label values are all known starts with 0 for each: otherwise its first increment would not be an increase.
 */
export function createCounter<N extends NameOf<'counter'>>(registry: Registry, name: N): Counter<LabelOf<N>> {
  const existing = registry.getSingleMetric(name)
  if (existing instanceof Counter) return existing
  const counter = new Counter(optionsOf(registry, name))
  // The names are those of the metric's labels.
  for (const labels of combineLabels(metrics[name].labels) as Partial<Record<LabelOf<N>, string>>[])
    counter.inc(labels, 0)
  return counter
}

/** @param collect sets the gauge at each scrape */
export function createGauge<N extends NameOf<'gauge'>>(
  registry: Registry,
  name: N,
  collect?: (gauge: Gauge<LabelOf<N>>) => void,
): Gauge<LabelOf<N>> {
  const existing = registry.getSingleMetric(name)
  if (existing instanceof Gauge) return existing
  const gauge: Gauge<LabelOf<N>> = new Gauge({
    ...optionsOf(registry, name),
    ...(collect ? { collect: () => collect(gauge) } : {}),
  })
  return gauge
}

/** Values are in seconds. */
export function createHistogram<N extends NameOf<'histogram'>>(registry: Registry, name: N): Histogram<LabelOf<N>> {
  const existing = registry.getSingleMetric(name)
  return existing instanceof Histogram
    ? existing
    : new Histogram({ ...optionsOf(registry, name), buckets: [...metrics[name].buckets] })
}

function optionsOf<N extends keyof Metrics>(registry: Registry, name: N) {
  // `Object.keys` loses the type of the keys.
  const labelNames = Object.keys(metrics[name].labels) as LabelOf<N>[]
  return { name, help: metrics[name].help, labelNames, registers: [registry] }
}
