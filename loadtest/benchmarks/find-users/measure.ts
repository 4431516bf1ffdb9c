import { setTimeout as delay } from 'node:timers/promises'
import type { UserSearchField } from '#contracts'
import { createEndUser, mostFrequentName } from './end-users.ts'

/** One kind of search. */
export interface SearchKind {
  readonly title: string
  /** Of a hundred searches. */
  readonly share: number
  /** The searched text for a number below the number of users. */
  readonly textOf: (n: number) => string
  /** Whether a result must have the user with the number. */
  readonly findsUser?: true
}

export const kinds: readonly SearchKind[] = [
  { title: 'e-mail address', share: 35, textOf: (n) => createEndUser(n).email, findsUser: true },
  { title: 'phone number', share: 10, textOf: (n) => createEndUser(n).phone, findsUser: true },
  { title: 'family and given name of a user', share: 25, textOf: toFullName },
  {
    title: 'first letters of a family name',
    share: 15,
    textOf: (n) => [...createEndUser(n).family].slice(0, 3).join(''),
  },
  {
    title: 'the two most frequent names together',
    share: 5,
    textOf: () => `${mostFrequentName.family} ${mostFrequentName.given}`,
  },
  { title: 'a name that no user has', share: 10, textOf: (n) => `qx${createEndUser(n).family}` },
]

function toFullName(n: number): string {
  const { family, given, isKanji } = createEndUser(n)
  return isKanji ? family + given : `${given} ${family}`
}

export interface Found {
  readonly users: readonly { readonly identifier: string }[]
  readonly fields: readonly UserSearchField[]
}

export interface MeasuredKind {
  readonly title: string
  readonly times: readonly number[]
  readonly users: number
}

interface Load {
  readonly users: number
  readonly searches: number
  readonly searchesPerSecond: number
  readonly find: (q: string) => Promise<Found>
}

/**
 * Sends searches at random moments, whether or not earlier ones have been answered, so that waiting counts.
 *
 * @throws if a search misses a user
 */
export async function measureSearches({ users, searches, searchesPerSecond, find }: Load): Promise<MeasuredKind[]> {
  const measured = kinds.map((kind) => ({ ...kind, times: [] as number[], users: 0 }))
  const hundred = measured.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
  const startedAt = performance.now()
  let dueAt = startedAt
  const search = async (due: number) => {
    const kind = hundred[Math.floor(Math.random() * hundred.length)]
    if (kind === undefined) throw new Error('There are no kinds of searches.')
    const n = Math.floor(Math.random() * users)
    const found = await find(kind.textOf(n))
    kind.times.push(performance.now() - due)
    kind.users += found.users.length
    const { identifier } = createEndUser(n)
    if (kind.findsUser === true && !found.users.some((user) => user.identifier === identifier))
      throw new Error(`A search by ${kind.title} did not find user ${n}.`)
  }
  const running: Promise<void>[] = []
  for (let number = 0; number < searches; number++) {
    dueAt += (-Math.log(1 - Math.random()) * 1_000) / searchesPerSecond
    await delay(Math.max(0, dueAt - performance.now()))
    running.push(search(dueAt))
  }
  await Promise.all(running)
  return measured
}
