import { expect, test } from 'vitest'
import { findRetryPause } from './retry-schedule.ts'

/** The pauses until the last attempt. */
function listPauses(random: number): number[] {
  const pauses: number[] = []
  for (let attempts = 1; ; attempts++) {
    const pause = findRetryPause(attempts, { random })
    if (pause === undefined) return pauses
    pauses.push(pause)
  }
}

test('attempts are repeated over three days with pauses that grow', () => {
  const pauses = listPauses(0)
  expect(pauses[0]).toBe(5)
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other))
  const days = (random: number) => listPauses(random).reduce((sum, pause) => sum + pause, 0) / 86_400
  expect(days(0)).toBeCloseTo(3, 1)
  expect(days(1)).toBeCloseTo(3.3, 1)
})

test('a longer Retry-After is respected, up to a day', () => {
  const pauseFor = (retryAfterSeconds: number) => findRetryPause(1, { retryAfterSeconds, random: 0 })
  expect([1, 60, 1_000_000].map(pauseFor)).toEqual([5, 60, 86_400])
})
