import type { EventsHandlers } from '../deps.ts'
import { listEvents } from './list-events.ts'
import { readPosition } from './read-position.ts'
import { record } from './record.ts'

export const handlers: EventsHandlers = { record, listEvents, readPosition }
