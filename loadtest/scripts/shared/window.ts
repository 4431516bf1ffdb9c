import { check } from 'k6'
import exec from 'k6/execution'
import type { WebApiResponse } from './web-api.ts'

export const windowSeconds = 60
export const limit = 10_000

/** When the window of a response ends, by `X-RateLimit-Reset`, in milliseconds. */
export function readReset({ headers }: WebApiResponse): number {
  return Date.parse(headers['X-Ratelimit-Reset'] ?? '')
}

/**
 * The window of the flood that a response belongs to, counted from 0. Windows follow each other without gaps while requests
 * arrive, and ends are reported in whole seconds.
 */
export function windowOf(response: WebApiResponse): string {
  const sinceStartMs = readReset(response) - exec.scenario.startTime
  return String(Math.round(sinceStartMs / 1_000 / windowSeconds) - 1)
}

/** Checks that a 429 response has what a client needs to retry. */
export function checkLimitedResponse(response: WebApiResponse): void {
  const resetInMs = readReset(response) - Date.now()
  const retryAfter = Number(response.headers['Retry-After'])
  check(response, {
    'a 429 has code 22': () => response.json('error.code') === 22,
    'a 429 says when the window ends, within a minute': () =>
      resetInMs > -1_500 && resetInMs <= (windowSeconds + 1) * 1_000,
    'a 429 has a Retry-After of whole seconds': () =>
      Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= windowSeconds + 1,
  })
}
