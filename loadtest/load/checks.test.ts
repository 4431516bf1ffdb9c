import { describe, expect, test } from 'vitest'
import { checkIsolation, checkRedisOutage, findKnee } from './checks.ts'
import type { Summary } from './summary.ts'

function summaryOf(metrics: Record<string, Record<string, number>>): Summary {
  const entries = Object.entries(metrics).map(([metric, values]) => [metric, { values }])
  return { root_group: { checks: [] }, metrics: Object.fromEntries(entries) }
}

describe('the neighbor of a site that exceeds its limit', () => {
  const judge = (alone: number, flooded: number) =>
    checkIsolation(
      summaryOf({
        'http_req_duration{while:alone}': { 'p(95)': alone },
        'http_req_duration{while:flooded}': { 'p(95)': flooded },
      }),
    )

  test('passes if it is served slightly later', () => expect(judge(10, 29)).toEqual([]))
  test('fails if it is served much later', () => expect(judge(10, 31)).toHaveLength(1))
  test('fails without requests', () => expect(judge(Number.NaN, Number.NaN)).toHaveLength(1))
})

describe('the limit while Redis is unavailable', () => {
  const judge = (served: readonly (readonly [mode: string, ends: number, count: number])[]) =>
    checkRedisOutage(
      summaryOf(
        Object.fromEntries(
          served.map(([mode, ends, count]) => [`web_api_served{mode:${mode},ends:${ends}}`, { count }]),
        ),
      ),
    )

  test('passes if degraded windows stay below it and a later window is exact, even if its end is reported in two seconds', () => {
    const served = [
      ['exact', 60, 10_000],
      ['degraded', 140, 9_000],
      ['degraded', 141, 999],
      ['exact', 210, 4_000],
      ['exact', 211, 6_000],
    ] as const
    expect(judge(served)).toEqual([])
  })

  test.each([
    [
      'a window that grants one too many',
      [
        ['degraded', 140, 10_001],
        ['exact', 210, 10_000],
      ],
    ],
    [
      'no response counted in degraded mode',
      [
        ['exact', 60, 10_000],
        ['exact', 120, 10_000],
      ],
    ],
    [
      'no exact window afterwards',
      [
        ['exact', 60, 10_000],
        ['degraded', 140, 9_000],
        ['exact', 210, 9_999],
      ],
    ],
  ] as const)('fails with %s', (_, served) => expect(judge(served)).not.toEqual([]))
})

test('the knee is the last step before requests are late', () => {
  const step = (rate: number, p99: number) => [`http_req_duration{rate:${rate}}`, { count: 9, 'p(99)': p99 }] as const
  const steps = Object.fromEntries([step(100, 20), step(125, 90), step(156, 400), step(195, 30)])
  expect(findKnee(summaryOf(steps))).toEqual({ rate: 125, p99_ms: 90 })
})
