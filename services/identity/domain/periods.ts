/** Whole stretches of 2^shift seconds, numbered from 1970: from one number up to, not including, another, or to the end of time. */
export interface BucketRange {
  readonly shift: number
  readonly from: number
  readonly below: number | null
}

/** A period without an end, as stretches that may be counted whole and the seconds before them. */
export interface SplitPeriod {
  readonly buckets: readonly BucketRange[]
  /** Unix times in seconds: the edge goes from `since` up to, not including, `until`. */
  readonly remainder: { readonly since: number; readonly until: number }
}

/**
 * Parts the period from `since`, a Unix time in seconds, into few stretches: short ones up to where the next longer begins.
 *
 * @param shifts the lengths there are, shortest first
 */
export function splitPeriod(since: number, shifts: readonly number[]): SplitPeriod {
  const ends = shifts.map((shift) => Math.floor(since / 2 ** shift) + 1)
  const stretches = shifts.map((shift, n): BucketRange => {
    const longer = shifts[n + 1]
    const endOfLonger = ends[n + 1]
    const below = longer === undefined || endOfLonger === undefined ? null : endOfLonger * 2 ** (longer - shift)
    return { shift, from: ends[n] ?? 0, below }
  })
  return { buckets: stretches, remainder: { since, until: (ends[0] ?? 0) * 2 ** (shifts[0] ?? 0) } }
}

/** The lowest identifier a user can have who arrived at this Unix time in seconds. */
export function lowestIdentifierAt(registeredAt: number): string {
  if (registeredAt <= 0) return ''
  // Above every identifier there will ever be.
  return registeredAt >= 2 ** 32 ? 'g' : Math.ceil(registeredAt).toString(16).padStart(8, '0')
}
