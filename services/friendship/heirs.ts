import type { Knex } from 'knex'
import { lockStatus, type StoredStatus, type User, updateStatus } from './statuses.ts'

/** What there is of a user's status from a moment on. */
export type State = Pick<StoredStatus, 'friendship_status' | 'brought_at'> & {
  readonly friendship_status_updated_at: Date
}

/** The user that remains of a user after merges: who was not merged is their own. */
export interface Heir {
  readonly user: User
  readonly stored: StoredStatus
  /** The merged users on the way there. */
  readonly passed: readonly StoredStatus[]
}

/** The heir, kept from other changes until the transaction ends. */
export async function lockHeir(trx: Knex.Transaction, { site, identifier }: User): Promise<Heir> {
  const passed: StoredStatus[] = []
  let stored = await lockStatus(trx, { site, identifier })
  // In the direction of the merges, as every lock of two users: merges never form a circle, so nobody deadlocks.
  while (stored.merged_into !== null) {
    passed.push(stored)
    stored = await lockStatus(trx, { site, identifier: stored.merged_into })
  }
  return { user: { site, identifier: stored.identifier }, stored, passed }
}

/** Keeps for the heir a status of the user, if it was to be kept for the user and for everybody on the way. */
export async function hand(trx: Knex.Transaction, { user, stored, passed }: Heir, state: State): Promise<void> {
  let handed = state
  for (const tombstone of passed) {
    if (!supersedes(handed, tombstone)) return
    handed = { ...handed, brought_at: new Date(Math.max(momentOf(handed), timeOf(tombstone.merged_at))) }
  }
  if (stored.forgotten || !supersedes(handed, stored)) return
  await updateStatus(trx, user, handed)
}

/** Whether a state replaces what is stored: what is newer does. At one moment a removal does, and stays. */
export function supersedes(state: State, stored: StoredStatus): boolean {
  const difference = momentOf(state) - momentOf(stored)
  if (difference !== 0) return difference > 0
  const removed = stored.friendship_status === null
  return !removed && timeOf(state.friendship_status_updated_at) >= timeOf(stored.friendship_status_updated_at)
}

/** From when on it holds. */
function momentOf({ friendship_status_updated_at, brought_at }: State | StoredStatus): number {
  return Math.max(timeOf(friendship_status_updated_at), timeOf(brought_at))
}

function timeOf(time: Date | null): number {
  return time?.getTime() ?? Number.NEGATIVE_INFINITY
}
