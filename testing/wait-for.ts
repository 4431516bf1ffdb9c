import { vi } from 'vitest'

/**
 * Repeats what throws until the event that it expects, and returns its value. Like the polls of `expect`, it ends only what hangs
 * (vitest.config.ts); that of vitest itself gives up after a second.
 */
export function waitFor<T>(read: () => T | Promise<T>, { interval = 50 } = {}): Promise<T> {
  return vi.waitFor(read, { timeout: 150_000, interval })
}
