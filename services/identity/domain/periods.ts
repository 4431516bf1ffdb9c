/** A range of time buckets of 2^shift seconds, numbered from 1970: from `from` to before `below`, or without an end. */
export interface BucketRange {
  readonly shift: number
  readonly from: number
  readonly below: number | null
}

/** A period without an end, split into whole buckets and the seconds before them. */
export interface SplitPeriod {
  readonly buckets: readonly BucketRange[]
  /** Unix times in seconds, from `since` to before `until`. */
  readonly remainder: { readonly since: number; readonly until: number }
}

/**
 * Splits the period from `since`, a Unix time in seconds, into few buckets: short ones until the next longer one starts.
 *
 * @param shifts the available bucket lengths, shortest first
 */
export function splitPeriod(since: number, shifts: readonly number[]): SplitPeriod {
  const ends = shifts.map((shift) => Math.floor(since / 2 ** shift) + 1)
  const buckets = shifts.map((shift, n): BucketRange => {
    const longer = shifts[n + 1]
    const endOfLonger = ends[n + 1]
    const below = longer === undefined || endOfLonger === undefined ? null : endOfLonger * 2 ** (longer - shift)
    return { shift, from: ends[n] ?? 0, below }
  })
  return { buckets, remainder: { since, until: (ends[0] ?? 0) * 2 ** (shifts[0] ?? 0) } }
}
