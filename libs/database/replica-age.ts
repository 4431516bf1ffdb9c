/** Where a server is in the log of changes (WAL). */
export interface LogPosition {
  /** `system_identifier`, which a standby has from its primary. */
  readonly cluster: string
  /** Incremented when a standby becomes a primary. */
  readonly timeline: number
  /** Bytes since the beginning of the log: written by a primary, or replayed by a standby. Null if the server does not say. */
  readonly position: number | null
}

interface PrimaryPosition extends LogPosition {
  /** When the primary was asked, on our monotonic clock (`performance.now()`). Its answer is not older. */
  readonly askedAt: number
}

/** Finds how old the data of a replica can be, by our clock alone. */
export interface ReplicaAge {
  /** Remembers the position of the primary. */
  readonly addPrimary: (position: PrimaryPosition) => void
  /**
   * Returns the time from which on the replica can lack changes; negative infinity if it lacks changes of all remembered times.
   * Undefined if it does not follow the primary: it is of another cluster or timeline, or replayed what the primary did not have when it
   * was asked later.
   */
  readonly findFreshAt: (replica: LogPosition) => number | undefined
}

/** @param keepMs how long positions are remembered */
export function createReplicaAge(keepMs: number): ReplicaAge {
  let positions: PrimaryPosition[] = []
  return {
    addPrimary(position) {
      const isSameLog = (earlier: PrimaryPosition) =>
        earlier.cluster === position.cluster && earlier.timeline === position.timeline
      positions = positions.filter((earlier) => isSameLog(earlier) && earlier.askedAt >= position.askedAt - keepMs)
      positions.push(position)
    },
    findFreshAt({ cluster, timeline, position: replayed }) {
      const latest = positions.at(-1)
      if (latest === undefined || latest.position === null || replayed === null) return undefined
      const follows = latest.cluster === cluster && latest.timeline === timeline && replayed <= latest.position
      if (!follows) return undefined
      const reached = positions.findLast(({ position }) => position !== null && position <= replayed)
      return reached?.askedAt ?? Number.NEGATIVE_INFINITY
    },
  }
}
