import type { EventsHandlers } from '../deps.ts'
import { readStream } from '../store/streams.ts'

export const readPosition: EventsHandlers['readPosition'] = async ({ site }, { reader, knex }) => {
  const { stream, last_sequence } = await readStream(reader, knex, site)
  return { stream, sequence: last_sequence }
}
