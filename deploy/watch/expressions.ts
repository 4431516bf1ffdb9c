import { metrics } from '#runtime'

/** A series an expression names: its metric and the values it wants labels to have. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly value: string }[]
}

/** Metrics an expression can name, beside what rules record: ours, those of Node.js, and Prometheus' own. */
const metric_name =
  /\b((?:sociallogin|http_server|db_client|nodejs|process)_\w+|sociallogin:[\w:]+|up)\b(?:\{([^}]*)\})?/g

export function selectorsIn(expression: string): Selector[] {
  return [...expression.matchAll(metric_name)].map(([, metric = '', inside = '']) => ({
    metric,
    matchers: [...inside.matchAll(/(\w+)\s*[!=]~?\s*"([^"]*)"/g)].map(([, label = '', value = '']) => ({
      label,
      value,
    })),
  }))
}

/** A histogram's or summary's own name, without what its series are called. */
export function metricOf(series: string): string {
  return series in metrics ? series : series.replace(/_(bucket|count|sum)$/, '')
}
