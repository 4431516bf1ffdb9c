import { describe, expect, test } from 'vitest'
import { type Counted, compare } from './agreement.ts'
import type { Summary } from './summary.ts'

const nothing: Counted = {
  served: 0,
  limited: 0,
  other: 0,
  refused: 0,
  admitted: 0,
  rejected: 0,
  limit_errors: 0,
  took_ms: 0,
}
/** Counts of gateways that had counted before the run started. */
const before: Counted = { ...nothing, served: 7, admitted: 7, took_ms: 70 }

interface Seen {
  readonly sent: number
  readonly served?: number
  readonly limited?: number
  readonly other?: number
  readonly mean_ms?: number
}

function disagreements(
  { sent, served = 0, limited = 0, other = 0, mean_ms = 2 }: Seen,
  counted: Partial<Counted>,
): string[] {
  const counter = (count: number) => ({ values: { count } })
  const summary: Summary = {
    root_group: { checks: [] },
    metrics: {
      web_api_sent: counter(sent),
      web_api_served: counter(served),
      web_api_limited: counter(limited),
      web_api_other: counter(other),
      web_api_took: { values: { avg: mean_ms } },
    },
  }
  const grown = { ...nothing, ...counted }
  const after: Counted = {
    ...grown,
    served: grown.served + 7,
    admitted: grown.admitted + 7,
    took_ms: grown.took_ms + 70,
  }
  return compare(before, after, summary).flatMap(({ what, agrees }) => (agrees ? [] : [what]))
}

describe('the comparison of what k6 and the gateways counted', () => {
  const seen = { sent: 12_000, served: 10_000, limited: 2_000 }
  const same = {
    served: 10_000,
    limited: 2_000,
    admitted: 10_000,
    rejected: 2_000,
    limit_errors: 2_000,
    took_ms: 12_000,
  }

  test('passes for equal counts', () => expect(disagreements(seen, same)).toEqual([]))
  test('passes for a difference of one in a thousand', () => {
    expect(disagreements(seen, { ...same, served: 10_010, admitted: 9_990 })).toEqual([])
    expect(disagreements(seen, { ...same, served: 10_011 })).toEqual(['responses 200'])
    expect(disagreements(seen, { ...same, limit_errors: 1_990 })).toEqual(['errors with code 22'])
  })
  test('passes for the requests that k6 had in flight when it timed out', () => {
    const gaveUp = { sent: 12_500, served: 10_000, limited: 2_000 }
    expect(disagreements(gaveUp, { ...same, served: 10_500, admitted: 10_500 })).toEqual([])
    expect(disagreements(gaveUp, { ...same, served: 11_000 })).toEqual(['responses 200'])
    expect(disagreements(gaveUp, { ...same, served: 9_900 })).toEqual(['responses 200'])
  })
  test('passes for requests that the gateways refused before the limit', () => {
    const overloaded = { sent: 12_050, served: 10_000, limited: 2_000, other: 50 }
    expect(disagreements(overloaded, { ...same, other: 50, refused: 50 })).toEqual([])
    expect(disagreements(overloaded, same)).toEqual(['other responses', 'admitted by the limit, or refused before it'])
  })
  test('reports that gateways cannot take longer than k6 waited', () => {
    expect(disagreements({ ...seen, mean_ms: 1 }, same)).toEqual([])
    expect(disagreements({ ...seen, mean_ms: 0.9 }, same)).toEqual(['mean response time, ms'])
  })
  test('fails without requests', () => expect(disagreements({ sent: 0 }, {})).toEqual([]))
})
