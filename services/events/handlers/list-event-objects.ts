import { Fault, formatCursor, parseCursor, toEventObject } from '#contracts'
import type { EventsHandlers } from '../deps.ts'
import { listEvents } from './list-events.ts'
import { readPosition } from './read-position.ts'

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
