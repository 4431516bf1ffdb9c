import { expect, test } from 'vitest'
import { countAdmitted, createRateLimitWindows } from './rate-limit-windows.ts'

const windowMs = 1_000
const site = 1

/** Windows of one site with a clock that the test sets. */
function windowsAt(clock: { at: number }) {
  return createRateLimitWindows(windowMs, () => clock.at)
}

test('a late count of the previous window does not change the current one', () => {
  const clock = { at: 0 }
  const windows = windowsAt(clock)
  windows.update(site, { name: 'current', consumed: 1, resetMs: windowMs, requestedAt: 0, respondedAt: 1 })
  windows.applyPeerCounts('peer', [{ site, window: 'previous', consumed: 600, unreported: 7, ends_in_ms: 5 }])
  expect(windows.find(site)).toMatchObject({ name: 'current', consumed: 1, peersUnreported: new Map() })
})

test('a higher count of the same window is adopted, regardless of its name', () => {
  const clock = { at: 0 }
  const windows = windowsAt(clock)
  windows.update(site, { name: 'a', consumed: 1, resetMs: windowMs, requestedAt: 0, respondedAt: 1 })
  clock.at = 400
  windows.applyPeerCounts('peer', [{ site, window: 'b', consumed: 9, unreported: 0, ends_in_ms: 590 }])
  expect(windows.find(site)).toMatchObject({ name: 'b', consumed: 9 })
})

test('the next window starts without the unreported requests and the allowance of the previous one', () => {
  const clock = { at: 10 }
  const windows = windowsAt(clock)
  windows.update(site, { name: 'a', consumed: 5, resetMs: windowMs, requestedAt: 0, respondedAt: 10 })
  const before = windows.find(site)
  if (before) Object.assign(before, { unreported: 3, allowance: { outage: 1, left: 0 } })
  // Redis may have ended the window, but this gateway cannot be certain.
  clock.at = 1_005
  windows.update(site, { name: 'b', consumed: 1, resetMs: windowMs, requestedAt: 1_002, respondedAt: 1_005 })
  expect(windows.find(site)).toMatchObject({ name: 'b', consumed: 1, unreported: 0, allowance: undefined })
})

test('a window counts what each gateway admitted by itself, also one that Redis does not have', () => {
  const clock = { at: 0 }
  const [windows, peers] = [windowsAt(clock), windowsAt(clock)]
  const opened = peers.open(site)
  opened.unreported = 4
  windows.update(site, { name: 'a', consumed: 3, resetMs: windowMs, requestedAt: 0, respondedAt: 0 })
  windows.applyPeerCounts('first', peers.list())
  windows.applyPeerCounts('second', peers.list())
  opened.unreported = 2
  windows.applyPeerCounts('second', peers.list())
  const window = windows.find(site)
  expect(window).toMatchObject({ name: 'a', consumed: 3, unreported: 0 })
  expect(window && countAdmitted(window)).toBe(3 + 4 + 2)
})
