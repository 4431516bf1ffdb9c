import { formatCursor } from '#contracts'
import type { EventWaiter } from '../event-notices.ts'
import type { createEventPages, EventPage } from './event-pages.ts'

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
  yield writePosition(formatCursor(page.next))
}
