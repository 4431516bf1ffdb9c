import { parser } from '@prometheus-io/lezer-promql'
import { metrics } from '#runtime'

/** A selector of an expression: its metric and label matchers. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly value: string }[]
}

/** Finds every selector of an expression. Throws if it is not PromQL. */
export function findSelectors(expression: string): Selector[] {
  const text = replaceVariables(expression)
  const found: Selector[] = []
  parser.parse(text).iterate({
    enter({ node, type }) {
      if (type.isError) throw new Error(`Invalid PromQL at ${node.from}: ${text}`)
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

/** Replaces dashboard variables as Grafana does when everything is selected, for a Prometheus that scrapes every few seconds. */
export function replaceVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '30s').replaceAll(/\$\w+/g, '.*')
}

/** The name of a histogram or summary without the suffix of its series. */
export function toMetricName(series: string): string {
  return series in metrics ? series : series.replace(/_(bucket|count|sum)$/, '')
}
