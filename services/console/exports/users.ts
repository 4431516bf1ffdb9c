import { setTimeout as delay } from 'node:timers/promises'
import { type Call, newCall } from '#bus'
import { Fault } from '#contracts'
import type { ServiceClients } from '../bus.ts'
import type { ExportedUser } from './columns.ts'

const pageSize = 100
/** Users read at the same time, so that an export causes little load. Our choice. */
const maxConcurrentReads = 20

/** Iterates over the users of a site, newest first, by page, with their total number. Skips users deleted meanwhile. */
export async function* iterateUsers(
  { site, with_profile }: { site: number; with_profile: boolean },
  { identity, profile }: Pick<ServiceClients, 'identity' | 'profile'>,
  signal: AbortSignal,
): AsyncGenerator<{ total: number; users: readonly ExportedUser[] }> {
  const retrying = createRetry(signal)
  const readUser = async (identifier: string): Promise<ExportedUser | undefined> => {
    const name = { site, identifier }
    try {
      const [{ user, links }, profileData] = await Promise.all([
        retrying((call) => identity.resolveUser(name, call)),
        with_profile ? retrying((call) => profile.readProfile(name, call)) : undefined,
      ])
      return { user, links, profile: profileData }
    } catch (error) {
      if (error instanceof Fault && error.fault === 'entity_not_found') return undefined
      throw error
    }
  }
  let position: { after?: string; after_registration?: number | undefined } = {}
  for (;;) {
    const { identifiers, total, more, last_registration } = await retrying((call) =>
      identity.listUsers({ site, limit: pageSize, order: 'newest_first', ...position }, call),
    )
    const users: ExportedUser[] = []
    for (let from = 0; from < identifiers.length; from += maxConcurrentReads) {
      const batch = identifiers.slice(from, from + maxConcurrentReads)
      const read = await Promise.all(batch.map(readUser))
      users.push(...read.filter((user) => user !== undefined))
    }
    yield { total, users }
    const after = identifiers.at(-1)
    if (!more || after === undefined) return
    position = { after, after_registration: last_registration }
  }
}

const attempts = 8
const pauseMs = 500

/** Repeats a call while its service is unavailable, until the signal aborts. Each attempt has the full deadline of a call. */
function createRetry(signal: AbortSignal) {
  return async <T>(request: (call: Call) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      try {
        return await request(newCall())
      } catch (error) {
        if (!(error instanceof Fault) || error.fault !== 'unavailable' || attempt === attempts) throw error
        await delay(pauseMs * attempt, undefined, { signal })
      }
    }
  }
}
