import { machineFacts } from '../toolkit/machine-facts.ts'
import type { Comparison } from './agreement.ts'
import type { Growth } from './growth.ts'
import type { Summary } from './summary.ts'

/** The result of a scenario. */
export interface Report {
  readonly name: string
  readonly shows: string
  readonly minutes: number
  readonly metrics: Summary['metrics']
  /** Counts and durations of k6 and the gateways; empty if gateways were replaced. */
  readonly compared: readonly Comparison[]
  /** Memory of services early and late, if watched. */
  readonly grown?: readonly Growth[]
  readonly found?: string
  /** The failed checks; empty on success. */
  readonly failures: readonly string[]
}

const number = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: Number.isInteger(value) ? 0 : 2 })
const milliseconds = (value = Number.NaN) => value.toFixed(value < 10 ? 1 : 0)

/** Formats the report as Markdown. */
export function formatReport(report: Report): string {
  const { name, shows, minutes, compared, grown = [], found, failures } = report
  return [
    '',
    `### ${name}`,
    '',
    `${shows[0]?.toUpperCase()}${shows.slice(1)} (${minutes} min; ${machineFacts()}).`,
    '',
    ...countsOf(report),
    '',
    '| Time, ms | requests | p50 | p95 | p99 | longest |',
    '| --- | --: | --: | --: | --: | --: |',
    ...timesOf(report),
    ...(compared.length === 0 ? [] : ['', '| Counted | by k6 | by the gateways |', '| --- | --: | --: |']),
    ...compared.map(({ what, by_k6, by_gateways }) => `| ${what} | ${number(by_k6)} | ${number(by_gateways)} |`),
    ...(grown.length === 0
      ? []
      : ['', '| Held by a service | | second quarter | last quarter |', '| --- | --- | --: | --: |']),
    ...grown.map(
      ({ service, what, early, late }) => `| ${service} | ${what} | ${early.toFixed(0)} | ${late.toFixed(0)} |`,
    ),
    ...(found === undefined ? [] : ['', found]),
    '',
    ...(failures.length === 0
      ? ['Everything promised holds.']
      : failures.map((failure) => `**Does not hold:** ${failure}`)),
  ].join('\n')
}

function countsOf({ metrics }: Report): string[] {
  const count = (metric: string) => metrics[metric]?.values.count ?? 0
  const windows = Object.keys(metrics)
    .filter((metric) => /^web_api_served\{window:/.test(metric))
    .map((metric) => number(count(metric)))
  const givenUp = count('web_api_sent') - count('web_api_served') - count('web_api_limited') - count('web_api_other')
  const facts = [
    `${number(count('http_reqs'))} requests, ${(metrics.http_reqs?.values.rate ?? 0).toFixed(0)} a second`,
    `Web API: ${number(count('web_api_served'))} × 200, ${number(count('web_api_limited'))} × 429, ${number(count('web_api_other'))} others`,
    ...(windows.length === 0 ? [] : [`served in each window: ${windows.join(', ')}`]),
    `${number(count('dropped_iterations'))} not sent in time`,
    ...(givenUp === 0 ? [] : [`${number(givenUp)} under way when k6 gave up`]),
  ]
  return facts.map((fact) => `- ${fact}`)
}

function timesOf({ metrics }: Report): string[] {
  return Object.entries(metrics)
    .filter(([metric]) => !metric.includes('expected_response'))
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .flatMap(([metric, { values }]) => {
      const tag = /^http_req_duration(?:\{(?:[\w-]+:)?(.*)\})?$/.exec(metric)
      if (tag === null || !values.count) return []
      const times = ['med', 'p(95)', 'p(99)', 'max'].map((value) => milliseconds(values[value]))
      return [`| ${tag[1] ?? 'all'} | ${number(values.count)} | ${times.join(' | ')} |`]
    })
}
