import { expect } from 'vitest'
import { openForTest } from './databases.ts'
import type { SharedStack } from './stack.ts'
import { waitFor } from './wait-for.ts'

/** The services with events that are not yet in the stream, and those that have jobs as well. */
const [withEvents, withJobs] = [
  ['identity', 'profile', 'provider_auth', 'friendship'] as const,
  new Set<string>(['identity', 'profile', 'provider_auth']),
]

/**
 * Waits for the work that requests started and that continues after their responses: messages between services, revocations at
 * login providers (which end all tokens of an account, also of a concurrent login), indexes, and events on their way to the stream.
 * Jobs that wait for another attempt, or that a process has left behind, do not count.
 */
export async function settled({ database_urls }: Pick<SharedStack, 'database_urls'>): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const readers = withEvents.flatMap((service) => {
    const { knex } = stack.use(openForTest(database_urls[service]))
    const jobs = () => knex('jobs').whereRaw('(attempts = 0 and run_at <= now()) or leased_until > now()').pluck('key')
    const events = () => knex('pending_events').pluck('id')
    return withJobs.has(service) ? [jobs, events] : [events]
  })
  await waitFor(async () => expect((await Promise.all(readers.map((read) => read()))).flat()).toEqual([]))
}
