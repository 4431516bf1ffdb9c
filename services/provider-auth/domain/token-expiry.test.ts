import { expect, test } from 'vitest'
import { getRefreshRetryDelay, isRefreshDue } from './token-expiry.ts'

const nowMs = Date.parse('2026-05-12T03:21:45Z')
const at = (seconds: number) => new Date(nowMs + seconds * 1_000)
const lasting = { expires_at: null, needs_reauth_at: null, refresh_not_before: null }

test.each([
  ['but not if they do not expire', lasting, false],
  ['but not more than a minute before they expire', { ...lasting, expires_at: at(61) }, false],
  ['in the last minute before they expire', { ...lasting, expires_at: at(60) }, true],
  ['after they expired', { ...lasting, expires_at: at(-86_400) }, true],
  ['but not if reauthentication is required', { ...lasting, expires_at: at(-1), needs_reauth_at: at(-1) }, false],
  ['but not in the pause after a failure', { ...lasting, expires_at: at(-1), refresh_not_before: at(1) }, false],
  ['after the pause', { ...lasting, expires_at: at(-1), refresh_not_before: at(0) }, true],
])('tokens are refreshed %s', (_when, credential, due) => {
  expect(isRefreshDue(credential, nowMs)).toBe(due)
})

test('pauses double from half a minute to an hour, each up to a quarter shorter', () => {
  expect([0, 1, 2, 6, 7, 1_000].map((failed) => getRefreshRetryDelay(failed, 1))).toEqual([
    30, 60, 120, 1920, 3600, 3600,
  ])
  expect(getRefreshRetryDelay(1, 0)).toBe(45)
})
