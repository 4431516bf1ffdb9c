import type { Member } from './constellation/fleet.ts'
import { readMetric, type Summary } from './summary.ts'

/** What gateways counted of the Web API, all of them together. */
export interface Counted {
  readonly served: number
  readonly limited: number
  readonly other: number
  readonly admitted: number
  readonly refused: number
  /** Of all requests, in seconds. */
  readonly took_seconds: number
}

/** What k6 and gateways count may differ by this. */
const tolerance = 0.001

export async function readCounts(members: readonly Member[]): Promise<Counted> {
  const samples = await Promise.all(
    members
      .filter(({ service }) => service === 'api-gateway')
      .map(async ({ operations }) => readSamples(await (await fetch(`${operations}/metrics`)).text())),
  )
  const sum = (name: string, wanted: (labels: string) => boolean) =>
    samples.flat().reduce((all, sample) => all + (sample.name === name && wanted(sample.labels) ? sample.value : 0), 0)
  const answers = (wanted: (labels: string) => boolean) => sum('http_server_request_duration_seconds_count', wanted)
  const is = (status: number) => (labels: string) => labels.includes(`http_response_status_code="${status}"`)
  return {
    served: answers(is(200)),
    limited: answers(is(429)),
    other: answers((labels) => !is(200)(labels) && !is(429)(labels)),
    admitted: sum('sociallogin_ratelimit_decisions_total', (labels) => !labels.includes('decision="limited"')),
    refused: sum('sociallogin_ratelimit_decisions_total', (labels) => labels.includes('decision="limited"')),
    took_seconds: sum('http_server_request_duration_seconds_sum', () => true),
  }
}

export interface Comparison {
  readonly what: string
  readonly by_k6: number
  readonly by_gateways: number
  readonly agrees: boolean
}

/** Compares what the gateways counted between two readings with what k6 saw meanwhile. */
export function compare(before: Counted, after: Counted, summary: Summary): Comparison[] {
  const grown = (name: keyof Counted) => after[name] - before[name]
  const seen = (what: string) => readMetric(summary, `web_api_${what}`, 'count')
  const row = (what: string, by_k6: number, by_gateways: number): Comparison => {
    const agrees = Math.abs(by_k6 - by_gateways) <= tolerance * Math.max(by_k6, by_gateways)
    return { what, by_k6, by_gateways, agrees }
  }
  return [
    row('answers 200', seen('served'), grown('served')),
    row('answers 429', seen('limited'), grown('limited')),
    row('other answers', seen('other'), grown('other')),
    row('admitted by the limit', seen('served') + seen('other'), grown('admitted')),
    row('refused by the limit', seen('limited'), grown('refused')),
  ]
}

export interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}

/** Samples of Prometheus' text format, labels as they are written. */
export function readSamples(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => {
    return { name, labels, value: Number(value) }
  })
}
