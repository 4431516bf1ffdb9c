import { setTimeout as delay } from 'node:timers/promises'
import { type Call, newCall } from '#bus'
import { Fault } from '#contracts'
import type { ServiceClients } from '../bus.ts'
import type { ExportedUser } from './columns.ts'

const pageSize = 100
/** Users asked for at a time, so that an export is no load to speak of. Our choice. */
const atOnce = 20

/** Users of a site, newest first, page by page, with how many there are. Those deleted meanwhile are left out. */
export async function* walkUsers(
  { site, with_profile }: { site: number; with_profile: boolean },
  { identity, profile }: Pick<ServiceClients, 'identity' | 'profile'>,
  ending: AbortSignal,
): AsyncGenerator<{ total: number; users: readonly ExportedUser[] }> {
  const patiently = patienceUntil(ending)
  const readUser = async (identifier: string): Promise<ExportedUser | undefined> => {
    const name = { site, identifier }
    try {
      const [{ user, links }, told] = await Promise.all([
        patiently((call) => identity.resolveUser(name, call)),
        with_profile ? patiently((call) => profile.readProfile(name, call)) : undefined,
      ])
      return { user, links, profile: told }
    } catch (error) {
      if (error instanceof Fault && error.fault === 'entity_not_found') return undefined
      throw error
    }
  }
  let after: string | undefined
  for (;;) {
    const place = after === undefined ? {} : { after }
    const { identifiers, total, more } = await patiently((call) =>
      identity.listUsers({ site, limit: pageSize, order: 'newest_first', ...place }, call),
    )
    const users: ExportedUser[] = []
    for (let from = 0; from < identifiers.length; from += atOnce) {
      const some = identifiers.slice(from, from + atOnce)
      const read = await Promise.all(some.map(readUser))
      users.push(...read.filter((user) => user !== undefined))
    }
    yield { total, users }
    after = identifiers.at(-1)
    if (!more || after === undefined) return
  }
}

const attempts = 8
const pauseMs = 500

/** Asks again when a service is away for a moment, unless the end has come: each question waits as long as a call may take. */
function patienceUntil(ending: AbortSignal) {
  return async <T>(ask: (call: Call) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      ending.throwIfAborted()
      try {
        return await ask(newCall())
      } catch (error) {
        if (!(error instanceof Fault) || error.fault !== 'unavailable' || attempt === attempts) throw error
        await delay(pauseMs * attempt, undefined, { signal: ending })
      }
    }
  }
}
