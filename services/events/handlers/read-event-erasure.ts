import type { EventsHandlers } from '../deps.ts'
import { countErasedEvents } from '../store/event-erasures.ts'

export const readEventErasure: EventsHandlers['readEventErasure'] = async ({ deleted_at, ...user }, { knex }) => {
  const events = await countErasedEvents(knex, user, new Date(deleted_at))
  return { deleted: events === undefined ? null : { events } }
}
