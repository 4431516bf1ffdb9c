import { Fault, formatCursor, limits, parseCursor, type StreamEvent, toEventObject } from '#contracts'
import type { EventsHandlers } from '../deps.ts'
import { selectEvents } from '../store/events.ts'
import { readStream } from '../store/streams.ts'

export const readPosition: EventsHandlers['readPosition'] = async ({ site }, { reader, knex }) => {
  const { stream, last_sequence } = await readStream(reader, knex, site)
  return { stream, sequence: last_sequence }
}

/** Events that a request for some types looks at. Our choice: some 50 ms. */
const searched = 50_000
/** Bytes as JSON of the events of one answer, which must fit into a message of the bus. */
const maximumBytes = limits.event_batch_bytes

export const listEvents: EventsHandlers['listEvents'] = async (
  { site, after, types, identifier, limit },
  { reader, knex, eventData },
) => {
  // Read first: all events up to its last number are visible to the next statement.
  const { stream, last_sequence, deleted_up_to } = await readStream(reader, knex, site)
  if (after !== undefined && (after.stream !== stream || after.sequence > last_sequence))
    throw new Fault('events_deleted')
  const from = after?.sequence ?? deleted_up_to
  if (from < deleted_up_to) throw new Fault('events_deleted')
  const to = types !== undefined && identifier === undefined ? Math.min(last_sequence, from + searched) : last_sequence
  const rows = await selectEvents(reader, eventData, { site, from, to, types, identifier }, limit)
  // Old events may have been deleted between the two statements.
  const now = await readStream(reader, knex, site)
  if (from < now.deleted_up_to && after !== undefined) throw new Fault('events_deleted')
  const events = takeEvents(rows)
  const isComplete = rows.length < limit && events.length === rows.length
  const sequence = isComplete ? to : (events.at(-1)?.sequence ?? to)
  return { events, next: { stream, sequence }, more: sequence < last_sequence }
}

/** The first events that fit into one answer, at least one. */
function takeEvents(found: StreamEvent[]): StreamEvent[] {
  let bytes = 0
  const end = found.findIndex((event, place) => {
    bytes += Buffer.byteLength(JSON.stringify(event))
    return place > 0 && bytes > maximumBytes
  })
  return end === -1 ? found : found.slice(0, end)
}

export const listEventObjects: EventsHandlers['listEventObjects'] = async (input, deps, call) => {
  const { account, site_id, after: text, ...filter } = input
  const after =
    text === undefined ? undefined : text === 'newest' ? await readPosition(filter, deps, call) : parseCursor(text)
  if (text !== undefined && after === undefined)
    throw new Fault('invalid_parameter', { fields: [{ field: 'after', reason: 'does not have the required format' }] })
  const { events, next, more } = await listEvents({ ...filter, ...(after && { after }) }, deps, call)
  return {
    events: events.map((event) => toEventObject(event, { account, site_id }, next.stream, deps.names)),
    next_after: formatCursor(next),
    more,
  }
}
