import { check } from 'k6'
import exec from 'k6/execution'
import type { Answer } from './web-api.ts'

export const windowSeconds = 60
export const limit = 10_000

/** When the window of an answer ends, by its `X-RateLimit-Reset`, in milliseconds. */
export function resetOf({ headers }: Answer): number {
  return Date.parse(headers['X-Ratelimit-Reset'] ?? '')
}

/**
 * Which window of the flood an answer belongs to, counted from 0. Windows follow one another without a gap while requests come,
 * and an end is told in whole seconds.
 */
export function windowOf(answer: Answer): string {
  const sinceStartMs = resetOf(answer) - exec.scenario.startTime
  return String(Math.round(sinceStartMs / 1_000 / windowSeconds) - 1)
}

/** Checks that a refusal says what a client needs in order to go on. */
export function checkRefusal(answer: Answer): void {
  const resetInMs = resetOf(answer) - Date.now()
  const retryAfter = Number(answer.headers['Retry-After'])
  check(answer, {
    'a 429 has code 22': () => answer.json('error.code') === 22,
    'a 429 says when the window ends, within a minute': () =>
      resetInMs > -1_500 && resetInMs <= (windowSeconds + 1) * 1_000,
    'a 429 has a Retry-After of whole seconds': () =>
      Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= windowSeconds + 1,
  })
}
