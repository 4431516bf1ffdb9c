/** Whole stretches of 2^shift seconds, numbered from 1970: from one number up to, not including, another, or to the end of time. */
export interface Stretches {
  readonly shift: number
  readonly from: number
  readonly below: number | null
}

/** A period without an end, as stretches that may be counted whole and the seconds before them. */
export interface Parted {
  readonly stretches: readonly Stretches[]
  /** Unix times in seconds: the edge goes from `since` up to, not including, `until`. */
  readonly edge: { readonly since: number; readonly until: number }
}

/**
 * Parts the period from `since`, a Unix time in seconds, into few stretches: short ones up to where the next longer begins.
 *
 * @param shifts the lengths there are, shortest first
 */
export function part(since: number, shifts: readonly number[]): Parted {
  const ends = shifts.map((shift) => Math.floor(since / 2 ** shift) + 1)
  const stretches = shifts.map((shift, n): Stretches => {
    const longer = shifts[n + 1]
    const endOfLonger = ends[n + 1]
    const below = longer === undefined || endOfLonger === undefined ? null : endOfLonger * 2 ** (longer - shift)
    return { shift, from: ends[n] ?? 0, below }
  })
  return { stretches, edge: { since, until: (ends[0] ?? 0) * 2 ** (shifts[0] ?? 0) } }
}

/** The lowest identifier a user can have who arrived at this Unix time in seconds. */
export function firstIdentifier(arrival: number): string {
  if (arrival <= 0) return ''
  // Above every identifier there will ever be.
  return arrival >= 2 ** 32 ? 'g' : Math.ceil(arrival).toString(16).padStart(8, '0')
}
