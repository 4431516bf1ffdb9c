import { readSamples } from './samples.ts'
import type { Member } from './stack/fleet.ts'
import { readMetric, type Summary } from './summary.ts'

/** What gateways counted of the Web API, all of them together. */
export interface Counted {
  readonly served: number
  readonly limited: number
  readonly other: number
  readonly admitted: number
  readonly refused: number
  /** Answers with the error code of the limit. */
  readonly limit_errors: number
  /** Time of all answers together, in milliseconds. */
  readonly took_ms: number
}

/** What k6 and gateways count may differ by this. */
const tolerance = 0.001

export async function readCounts(members: readonly Member[]): Promise<Counted> {
  const samples = await Promise.all(members.filter(({ service }) => service === 'api-gateway').map(readSamples))
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
    limit_errors: sum('sociallogin_api_requests_total', (labels) => labels.includes('code="22"')),
    took_ms: 1_000 * sum('http_server_request_duration_seconds_sum', () => true),
  }
}

export interface Comparison {
  readonly what: string
  readonly by_k6: number
  readonly by_gateways: number
  readonly agrees: boolean
}

/**
 * Compares what the gateways counted and measured between two readings with what k6 saw meanwhile. Answers to requests that
 * k6 had under way when it gave up are known to the gateways alone.
 */
export function compare(before: Counted, after: Counted, summary: Summary): Comparison[] {
  const grown = (name: keyof Counted) => after[name] - before[name]
  const seen = (what: string) => readMetric(summary, `web_api_${what}`, 'count')
  const [sent, served, limited, other] = [seen('sent'), seen('served'), seen('limited'), seen('other')]
  const givenUp = sent - served - limited - other
  const row = (what: string, byK6: number, byGateways: number): Comparison => {
    const slack = tolerance * byK6
    const agrees = byK6 - slack <= byGateways && byGateways <= byK6 + givenUp + slack
    return { what, by_k6: byK6, by_gateways: byGateways, agrees }
  }
  return [
    row('answers 200', served, grown('served')),
    row('answers 429', limited, grown('limited')),
    row('other answers', other, grown('other')),
    row('admitted by the limit', served + other, grown('admitted')),
    row('refused by the limit', limited, grown('refused')),
    row('errors with code 22', limited, grown('limit_errors')),
    // Slow answers that k6 did not wait for would count on one side alone.
    ...(sent === 0 || givenUp > 0
      ? []
      : [meanTime(readMetric(summary, 'web_api_took', 'avg'), grown('took_ms') / sent)]),
  ]
}

/** What gateways measure lies inside what k6 measures around it. */
function meanTime(byK6: number, byGateways: number): Comparison {
  return {
    what: 'mean time of an answer, ms',
    by_k6: byK6,
    by_gateways: byGateways,
    agrees: byGateways <= byK6 * (1 + tolerance),
  }
}
