import type { z } from 'zod'
import type { UsagePeriod } from '#admin-api'

/** How finely counts are stored. */
export type StoredSpan = 'hour' | 'day'

/** What a chart shows: so many hours, days or months up to the present one, in UTC. */
export interface Slots {
  /** How finely the counts are stored that it is made of. */
  readonly span: StoredSpan
  readonly since: Date
  readonly starts: readonly Date[]
  readonly startOf: (at: Date) => Date
}

export interface SlotSum {
  readonly at: Date
  readonly count: number
}

/** 24 hours, 30 days or 12 months, the present one last. */
export function slotsOf(wanted: z.output<typeof UsagePeriod>, now: Date): Slots {
  const [year, month, day, hour] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours()]
  const count = { day: 24, month: 30, year: 12 }[wanted]
  const starts = Array.from({ length: count }, (_, slot) => {
    const back = count - 1 - slot
    if (wanted === 'day') return new Date(Date.UTC(year, month, day, hour - back))
    return new Date(wanted === 'month' ? Date.UTC(year, month, day - back) : Date.UTC(year, month - back))
  })
  const startOf = (at: Date) => (wanted === 'year' ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) : at)
  return { span: wanted === 'day' ? 'hour' : 'day', since: starts[0] ?? now, starts, startOf }
}

/** One sum for each slot, those without a count too. */
export function sumBySlot(
  { starts, startOf }: Slots,
  rows: readonly { readonly at: Date; readonly count: number }[],
): SlotSum[] {
  const sums = new Map<number, number>()
  for (const { at, count } of rows) {
    const start = startOf(at).getTime()
    sums.set(start, (sums.get(start) ?? 0) + count)
  }
  return starts.map((start) => ({ at: start, count: sums.get(start.getTime()) ?? 0 }))
}
