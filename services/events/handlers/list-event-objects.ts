import { Fault, parsePosition, showEvent, showPosition } from '#contracts'
import type { EventsHandlers } from '../deps.ts'
import { listEvents } from './list-events.ts'
import { readPosition } from './read-position.ts'

export const listEventObjects: EventsHandlers['listEventObjects'] = async (input, deps, call) => {
  const { account, site_id, after: text, ...filter } = input
  const after =
    text === undefined ? undefined : text === 'newest' ? await readPosition(filter, deps, call) : parsePosition(text)
  if (text !== undefined && after === undefined)
    throw new Fault('invalid_parameter', { fields: [{ field: 'after', reason: 'does not have the required format' }] })
  const { events, next, more } = await listEvents({ ...filter, ...(after && { after }) }, deps, call)
  return {
    events: events.map((event) => showEvent(event, { account, site_id }, next.stream, deps.names)),
    next_after: showPosition(next),
    more,
  }
}
