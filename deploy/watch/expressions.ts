import { parser } from '@prometheus-io/lezer-promql'
import { metrics } from '#runtime'

/** A series an expression names: its metric and the values it wants labels to have. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly value: string }[]
}

/** Every series an expression names, whoever exposes it. Throws for what is no PromQL. */
export function selectorsIn(expression: string): Selector[] {
  const text = withVariables(expression)
  const found: Selector[] = []
  parser.parse(text).iterate({
    enter({ node, type }) {
      if (type.isError) throw new Error(`No PromQL at ${node.from}: ${text}`)
      if (type.name !== 'VectorSelector') return
      const named = node.getChild('Identifier')
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
      found.push({
        metric: named === null ? '' : text.slice(named.from, named.to),
        matchers: matchers.map((matcher) => {
          const part = (name: string) => {
            const child = matcher.getChild(name)
            return child === null ? '' : text.slice(child.from, child.to)
          }
          return { label: part('LabelName'), value: part('StringLiteral').slice(1, -1) }
        }),
      })
    },
  })
  return found
}

/** An expression of a board as Grafana would ask it, for a Prometheus that scrapes every few seconds: everything is chosen. */
export function withVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '30s').replaceAll(/\$\w+/g, '.*')
}

/** A histogram's or summary's own name, without what its series are called. */
export function metricOf(series: string): string {
  return series in metrics ? series : series.replace(/_(bucket|count|sum)$/, '')
}
