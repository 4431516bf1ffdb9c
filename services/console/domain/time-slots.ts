import type { z } from 'zod'
import type { UsagePeriod } from '#admin-api'

/** Resolution of stored counts. */
export type UsageSpan = 'hour' | 'day'

/** The time slots of a chart: hours, days or months up to the current one, in UTC. */
export interface TimeSlots {
  /** Resolution of the counts that the chart sums. */
  readonly span: UsageSpan
  readonly since: Date
  /** Counts from here on are in no slot. */
  readonly until: Date
  readonly starts: readonly Date[]
  readonly startOf: (at: Date) => Date
}

export interface SlotSum {
  readonly at: Date
  readonly count: number
}

/**
 * Creates 24 hours, 30 days or 12 months.
 *
 * @param previous whether the last slot is the one before them, instead of the current one
 */
export function createTimeSlots(period: z.output<typeof UsagePeriod>, now: Date, previous: boolean): TimeSlots {
  const [year, month, day, hour] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours()]
  const count = { day: 24, month: 30, year: 12 }[period]
  const startBefore = (back: number) => {
    if (period === 'day') return new Date(Date.UTC(year, month, day, hour - back))
    return new Date(period === 'month' ? Date.UTC(year, month, day - back) : Date.UTC(year, month - back))
  }
  const last = previous ? count : 0
  const starts = Array.from({ length: count }, (_, slot) => startBefore(last + count - 1 - slot))
  const toSlotStart = (at: Date) => (period === 'year' ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) : at)
  return {
    span: period === 'day' ? 'hour' : 'day',
    since: startBefore(last + count - 1),
    until: startBefore(last - 1),
    starts,
    startOf: toSlotStart,
  }
}

/** Sums the counts of each slot; slots without rows have 0. */
export function sumBySlot(
  { starts, startOf }: TimeSlots,
  rows: readonly { readonly at: Date; readonly count: number }[],
): SlotSum[] {
  const sums = new Map<number, number>()
  for (const { at, count } of rows) {
    const start = startOf(at).getTime()
    sums.set(start, (sums.get(start) ?? 0) + count)
  }
  return starts.map((start) => ({ at: start, count: sums.get(start.getTime()) ?? 0 }))
}
