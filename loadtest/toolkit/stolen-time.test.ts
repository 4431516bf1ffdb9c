import { expect, test } from 'vitest'
import { parseCpuTime } from './stolen-time.ts'

test('stolen time is the eighth number in the line of all processors, and guests are not counted twice', () => {
  const text = 'cpu  100 10 20 800 30 1 4 35 90 9\ncpu0 50 5 10 400 15 0 2 17 45 4\nintr 1 2 3\n'
  expect(parseCpuTime(text)).toEqual({ total: 1_000, stolen: 35 })
})

test('without statistics there is no stolen time', () => {
  expect(parseCpuTime('')).toEqual({ total: 0, stolen: 0 })
})
