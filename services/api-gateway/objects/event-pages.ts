import type { z } from 'zod'
import {
  type EventObject,
  type EventTypeName,
  Fault,
  limits,
  parseCursor,
  type StreamPosition,
  toEventObject,
} from '#contracts'
import type { Caller } from '../caller.ts'
import type { EventWaiter } from '../event-notices.ts'
import type { OperationDeps } from '../operation.ts'

/** Which events a request reads. */
export interface EventQuery {
  readonly after: string | undefined
  readonly types: EventTypeName[] | undefined
  readonly identifier: string | undefined
  readonly limit: number | undefined
}

export interface EventPage {
  readonly events: z.output<typeof EventObject>[]
  readonly next: StreamPosition
  readonly more: boolean
}

/** The value of `after` for later events only. */
const newest = 'newest'

/** How often a waiting request looks for events without a notice, which may be lost. Our choice. */
const pollMs = 2_000

/** Reads the events of the caller's site, page by page. */
export function createEventPages(
  { after, types, identifier, limit = limits.events_default }: EventQuery,
  { events, names }: Pick<OperationDeps, 'events' | 'names'>,
  { site, call, lastEventId, waiting }: Pick<Caller, 'site' | 'call' | 'lastEventId' | 'waiting'>,
) {
  const read = async (from: StreamPosition | undefined, ofCall = call): Promise<EventPage> => {
    const listing = events.listEvents({ site: site.site, after: from, types, identifier, limit }, ofCall)
    const {
      events: listed,
      next,
      more,
    } = await listing.catch((error: unknown) => {
      const isDeleted = error instanceof Fault && error.fault === 'events_deleted'
      throw isDeleted
        ? new Fault('events_deleted', { detail: { reason: 'events_deleted', parameter: 'after' } })
        : error
    })
    return { events: listed.map((event) => toEventObject(event, site, next.stream, names)), next, more }
  }
  return {
    /** @throws Fault `invalid_parameter`, `events_deleted` */
    readFirst: async () => {
      const from = lastEventId ?? after
      if (from === undefined) return read(undefined)
      if (from === newest) return read(await events.readPosition({ site: site.site }, call))
      const position = parseCursor(from)
      if (position === undefined)
        throw new Fault('invalid_parameter', { detail: { reason: 'wrong_format', parameter: 'after' } })
      return read(position)
    },
    /**
     * The page after a page: at once if there is more, else when there may be an event, or at a time of the monotonic clock.
     *
     * @throws Fault `events_deleted`
     */
    async readNext({ next, more }: EventPage, waiter: EventWaiter, until: number): Promise<EventPage> {
      const ms = Math.max(0, Math.min(pollMs, until - performance.now()))
      if (!more) await waiting.wait((signal) => waiter.next(ms, signal))
      return read(next, waiting.newCall())
    },
  }
}
