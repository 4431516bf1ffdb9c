import { expect, test } from 'vitest'
import { isRecentEnough, resolveAuthTime } from './auth-time.ts'

const now = 1_000_000
const any = { max_age: null, reauthenticate: false }
const within = (maxAge: number) => ({ max_age: maxAge, reauthenticate: false })
const again = { max_age: null, reauthenticate: true }

test.each([
  ['at any age without max_age', 0, any, true],
  ['within max_age', now - 59_999, within(60), true],
  ['but not if it is as old as max_age', now - 60_000, within(60), false],
  ['but not for a max_age of 0', now, within(0), false],
  ['but not with max_age 0, according to a faster clock', now + 1_000, within(0), false],
  ['but not if reauthentication is required', now, again, false],
])('an authentication is recent enough %s', (_, authTime, freshness, fresh) => {
  expect(isRecentEnough(authTime, freshness, now)).toBe(fresh)
})

test.each([
  ['now, without other information', undefined, undefined, any, now],
  ['at the provider’s auth_time', 700_000, undefined, any, 700_000],
  ['at the session’s auth_time', undefined, 800_000, any, 800_000],
  ['at the provider’s auth_time if it is earlier', 700_000, 800_000, any, 700_000],
  ['at the session’s auth_time if it is earlier', 900_000, 800_000, any, 800_000],
  ['now if the session is too old', undefined, 800_000, within(100), now],
  ['now if reauthentication was required', undefined, 800_000, again, now],
])('an end user authenticated %s', (_, received, remembered, freshness, expected) => {
  const byProvider = received === undefined ? undefined : new Date(received)
  expect(resolveAuthTime(byProvider, remembered, freshness, now)).toBe(expected)
})
