import { expect, test } from 'vitest'
import { rateLimitHeaders, secondsUntilOver } from './rate-limit.ts'

const standing = { admitted: true, mode: 'exact', limit: 10_000, remaining: 9_999, resetMs: 42_500 } as const
const nowMs = Date.UTC(2026, 0, 31, 23, 59, 30, 700)

test('rate limit headers are the specification’s and the IETF’s', () => {
  expect(rateLimitHeaders(standing, 60, nowMs)).toEqual({
    'X-RateLimit-Limit': '10000',
    'X-RateLimit-Remaining': '9999',
    'X-RateLimit-Reset': '2026-02-01T00:00:14Z',
    'RateLimit-Policy': '"site";q=10000;w=60',
    RateLimit: '"site";r=9999;t=43',
  })
})

test('X-RateLimit-Mode reports the degraded mode', () => {
  expect(rateLimitHeaders({ ...standing, mode: 'degraded' }, 60, nowMs)).toMatchObject({
    'X-RateLimit-Mode': 'degraded',
  })
})

test.each([
  [0, 1],
  [1, 1],
  [999, 1],
  [1_000, 2],
  [59_999, 60],
  [60_000, 61],
])('a window that ends in %i ms is certainly over after %i s', (milliseconds, seconds) => {
  expect(secondsUntilOver(milliseconds)).toBe(seconds)
})
