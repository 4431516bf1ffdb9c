import { z } from 'zod'
import { EventObject, type EventTypeName, eventTypes, formatCursor, Identifier, limits } from '#contracts'
import { createEventPages } from '../objects/event-pages.ts'
import { streamFormats, writeEvents } from '../objects/event-stream.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { defineOperation, StreamedResponse } from '../operation.ts'
import { EventTypes } from '../parameters/event-types.ts'
import { integer } from '../parameters/integer.ts'
import { optional } from '../parameters/text.ts'

export const events = defineOperation({
  name: 'events',
  title: 'Read events',
  group: 'site',
  summary: 'Returns the events of the service’s users, in order, after a position.',
  writes: false,
  parameters: {
    after: optional(
      z.string(),
      'The `cursor` of the last processed event, or `next_after` of the last response; `newest`: only later events. Default: from the oldest stored event.',
    ),
    types: optional(EventTypes, 'Only these types of events, separated by commas.'),
    identifier: optional(Identifier, 'Only events of this user, also if it was merged into another one.'),
    limit: optional(integer({ from: 1, to: limits.events_maximum }), 'Events per response or read. Default: 100.'),
    wait: optional(
      integer({ from: 0, to: limits.events_wait_seconds }),
      'Seconds to wait if there is no event; with another format, to follow the stream. Default: 0.',
    ),
    format: optional(
      z.enum(['json', 'ndjson', 'sse']),
      '`ndjson`: one event per line, the last line has `next_after`; `sse`: server-sent events. Default: `json`.',
    ),
  },
  faults: {
    invalid_parameter: '`after` is not a cursor.',
    events_deleted:
      'Events after the cursor are deleted, or the stream was restored from a backup. List all users again, and continue from a new cursor.',
  },
  response: () => ({ events: z.array(EventObject), next_after: z.string().max(64), more: z.boolean() }),
  example: ({ wire }) => {
    const stream = '1c9f7f0e-8a55-4f2b-9a39-0d1f7c3f8a11'
    const type: EventTypeName = 'user.logged_in'
    return {
      query: { limit: '1' },
      response: {
        events: [
          {
            id: '019b0c4e-58a1-7c3e-9d20-4f8a1b2c3d4e',
            type,
            timestamp: '2026-05-12T03:21:45Z',
            account: 'example',
            site_id: 'shop',
            user: { identifier: exampleIdentifier, primary_key: 'customer-42' },
            sequence: 1042,
            user_sequence: 7,
            data: { ...eventTypes[type].example, provider: wire('messaging') },
            cursor: `1042-${stream}`,
          },
        ],
        next_after: `1042-${stream}`,
        more: false,
      },
    }
  },
  async run({ format = 'json', wait = 0, ...query }, deps, caller) {
    const { isActive } = caller.waiting
    const until = performance.now() + wait * 1_000
    const pages = createEventPages(query, deps, caller)
    const openWaiter = () => deps.eventNotices.open(caller.site.site)
    if (format !== 'json') {
      const first = await pages.readFirst()
      const following = { ...pages, openWaiter, until, isActive }
      return new StreamedResponse(
        streamFormats[format].contentType,
        writeEvents(first, streamFormats[format], following),
      )
    }
    // Before the first page, so that no event is between them.
    using waiter = wait === 0 ? undefined : openWaiter()
    let page = await pages.readFirst()
    while (page.events.length === 0 && waiter !== undefined && performance.now() < until && isActive())
      page = await pages.readNext(page, waiter, until)
    return { events: page.events, next_after: formatCursor(page.next), more: page.more }
  },
})
