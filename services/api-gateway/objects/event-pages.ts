import type { z } from 'zod'
import {
  type EventObject,
  type EventTypeName,
  Fault,
  limits,
  parsePosition,
  type StreamPosition,
  showEvent,
  showPosition,
} from '#contracts'
import type { EventWaiter } from '../event-notices.ts'
import type { Caller, OperationDeps } from '../operation.ts'

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
    return { events: listed.map((event) => showEvent(event, site, next.stream, names)), next, more }
  }
  return {
    /** @throws Fault `invalid_parameter`, `events_deleted` */
    readFirst: async () => {
      const from = lastEventId ?? after
      if (from === undefined) return read(undefined)
      if (from === newest) return read(await events.readPosition({ site: site.site }, call))
      const position = parsePosition(from)
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

/** After which a client of server-sent events connects again. Our choice. */
const retryMs = 1_000

/** How a stream writes an event and, if it has no event to write, a position. */
export interface StreamFormat {
  readonly contentType: string
  readonly event: (event: EventPage['events'][number]) => string
  readonly position: (nextAfter: string) => string
}

export const streamFormats: Readonly<Record<'ndjson' | 'sse', StreamFormat>> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    event: (event) => `${JSON.stringify(event)}\n`,
    position: (nextAfter) => `${JSON.stringify({ next_after: nextAfter })}\n`,
  },
  // An event without data only sets the ID with which the client continues (HTML, Server-sent events, Interpretation).
  sse: {
    contentType: 'text/event-stream; charset=utf-8',
    event: (event) => `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    position: (nextAfter) => `retry: ${retryMs}\nid: ${nextAfter}\n\n`,
  },
}

/** Writes pages until a time of the monotonic clock, then the position to continue from. */
export async function* writeEvents(
  first: EventPage,
  { event: writeEvent, position: writePosition }: StreamFormat,
  {
    readNext,
    openWaiter,
    until,
    isActive,
  }: {
    readonly readNext: ReturnType<typeof createEventPages>['readNext']
    /** Undefined: too many requests wait. Only the first page is written. */
    readonly openWaiter: () => EventWaiter | undefined
    readonly until: number
    readonly isActive: () => boolean
  },
): AsyncGenerator<string> {
  // Here, because a generator that is not started is never ended. A notice before is missed, and the next look finds its events.
  using waiter = openWaiter()
  let page = first
  for (;;) {
    if (page.events.length > 0) yield page.events.map(writeEvent).join('')
    const isOver = !page.more && performance.now() >= until
    if (waiter === undefined || isOver || !isActive()) break
    page = await readNext(page, waiter, until)
  }
  yield writePosition(showPosition(page.next))
}
