import { describe, expect, test } from 'vitest'
import { type Consumption, checkGrowth, computeGrowth } from './growth.ts'

/** Forty readings of the memory of a service, in MiB. */
function readings(megabytes: (reading: number) => number): Consumption[][] {
  return Array.from({ length: 40 }, (_, n) => [
    { service: 'identity', metric: 'process_resident_memory_bytes', value: megabytes(n) * 2 ** 20 },
  ])
}

const judge = (megabytes: (reading: number) => number) => checkGrowth(computeGrowth(readings(megabytes)))

describe('the memory of a service in a long run', () => {
  test('may rise during warm-up', () => expect(judge((n) => (n < 10 ? 60 + 6 * n : 120))).toEqual([]))
  test('may have a peak', () => expect(judge((n) => (n === 38 ? 900 : 120))).toEqual([]))
  test('must not grow steadily', () =>
    expect(judge((n) => 60 + 6 * n)).toEqual(['identity grew: memory, MiB from 150 to 270.']))
  test('fails if it could not be read', () => expect(judge(() => Number.NaN)).toHaveLength(1))
  test('fails if it was read too rarely', () => expect(checkGrowth([])).toHaveLength(1))
})
