import { readSamples } from '../toolkit/samples.ts'
import type { FleetProcess } from '../toolkit/stack/fleet.ts'
import { readMetric, type Summary } from './summary.ts'

/** The Web API counts of all gateways together. */
export interface Counted {
  readonly served: number
  readonly limited: number
  readonly other: number
  /** Of `other`, rejected because of `MAX_REQUESTS`, before the rate limit. */
  readonly refused: number
  readonly admitted: number
  readonly rejected: number
  /** Responses with the error code of the rate limit. */
  readonly limit_errors: number
  /** Total duration of all responses, in milliseconds. */
  readonly took_ms: number
}

/** Tolerated difference between the counts of k6 and the gateways. */
const tolerance = 0.001

export async function readCounts(members: readonly FleetProcess[]): Promise<Counted> {
  const samples = await Promise.all(members.filter(({ service }) => service === 'api-gateway').map(readSamples))
  const sum = (name: string, matches: (labels: string) => boolean) =>
    samples.flat().reduce((all, sample) => all + (sample.name === name && matches(sample.labels) ? sample.value : 0), 0)
  const responses = (matches: (labels: string) => boolean) => sum('http_server_request_duration_seconds_count', matches)
  const refused = sum('sociallogin_http_requests_refused_total', () => true)
  const is = (status: number) => (labels: string) => labels.includes(`http_response_status_code="${status}"`)
  return {
    served: responses(is(200)),
    limited: responses(is(429)),
    other: responses((labels) => !is(200)(labels) && !is(429)(labels)) + refused,
    refused,
    admitted: sum('sociallogin_ratelimit_decisions_total', (labels) => !labels.includes('decision="limited"')),
    rejected: sum('sociallogin_ratelimit_decisions_total', (labels) => labels.includes('decision="limited"')),
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
 * Compares the counts and durations of the gateways between two readings with those of k6. Only the gateways know the
 * responses to requests that k6 aborted.
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
    row('responses 200', served, grown('served')),
    row('responses 429', limited, grown('limited')),
    row('other responses', other, grown('other')),
    row('admitted by the limit, or refused before it', served + other, grown('admitted') + grown('refused')),
    row('rejected by the limit', limited, grown('rejected')),
    row('errors with code 22', limited, grown('limit_errors')),
    // Slow responses that k6 did not await would count on one side only.
    ...(sent === 0 || givenUp > 0
      ? []
      : [meanTime(readMetric(summary, 'web_api_took', 'avg'), grown('took_ms') / sent)]),
  ]
}

/** The gateways' durations are part of k6's durations. */
function meanTime(byK6: number, byGateways: number): Comparison {
  return {
    what: 'mean response time, ms',
    by_k6: byK6,
    by_gateways: byGateways,
    agrees: byGateways <= byK6 * (1 + tolerance),
  }
}
