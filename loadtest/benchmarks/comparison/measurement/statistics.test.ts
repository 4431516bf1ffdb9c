import { expect, test } from 'vitest'
import { compareArms, cpuPerRequest, typicalTimesByOperation } from './blocks.ts'
import type { SliceResult } from './slice.ts'
import { geometricMean, sortedQuantile, summarizeRatios } from './statistics.ts'

const slice = (completed: number, cpu: Readonly<Record<string, number>>): SliceResult => ({
  completed,
  seconds: 1,
  p50_ms: 1,
  p99_ms: 2,
  operations: {},
  cpu: new Map(Object.entries(cpu)),
})

test('a factor and its inverse cancel out in the mean of ratios', () => {
  expect(geometricMean([0.5, 2])).toBeCloseTo(1)
  expect(geometricMean([1, 1, 8])).toBeCloseTo(2)
})

test('the interval contains the mean, shrinks with agreement, and is the same at each call', () => {
  const spread = summarizeRatios([0.8, 1, 1.25, 0.9, 1.1])
  expect(spread.low).toBeLessThan(spread.mean)
  expect(spread.high).toBeGreaterThan(spread.mean)
  expect(summarizeRatios([0.8, 1, 1.25, 0.9, 1.1])).toEqual(spread)
  expect(summarizeRatios([0.7, 0.7, 0.7])).toMatchObject({ mean: 0.7, low: 0.7, high: 0.7, blocks: 3 })
})

test('quantiles are values of the list', () => {
  const sorted = Array.from({ length: 100 }, (_, n) => n + 1)
  expect(sortedQuantile(sorted, 0.5)).toBe(51)
  expect(sortedQuantile(sorted, 0.99)).toBe(100)
  expect(sortedQuantile([], 0.5)).toBeNaN()
})

test('the cost of a request is the CPU time of all processes of all slices, per request', () => {
  expect(cpuPerRequest([slice(100, { gateway: 0.01, postgres: 0.01 }), slice(300, { gateway: 0.06 })])).toBeCloseTo(200)
})

test('arms are compared block by block', () => {
  const ours = { name: 'ours', blocks: [[slice(100, { a: 0.01 })], [slice(100, { a: 0.04 })]] }
  const other = { name: 'other', blocks: [[slice(100, { b: 0.02 })], [slice(200, { b: 0.08 })]] }
  expect(compareArms(ours, other).mean).toBeCloseTo(Math.sqrt(0.5 * 1))
})

test('times by operation are means over the slices that had the operation', () => {
  const withTimes = (operations: SliceResult['operations']) => ({ ...slice(1, {}), operations })
  const blocks = [
    [
      withTimes({ read: { completed: 1, p50_ms: 2, p99_ms: 4 } }),
      withTimes({
        read: { completed: 1, p50_ms: 8, p99_ms: 16 },
        write: { completed: 1, p50_ms: 3, p99_ms: 9 },
      }),
    ],
  ]
  const times = typicalTimesByOperation({ name: 'ours', blocks })
  expect(times.get('read')?.map(Math.round)).toEqual([4, 8])
  expect(times.get('write')?.map(Math.round)).toEqual([3, 9])
})
