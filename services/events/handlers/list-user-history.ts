import type { EventsHandlers } from '../deps.ts'
import { selectHistory } from '../store/user-history.ts'

export const listUserHistory: EventsHandlers['listUserHistory'] = async (query, { reader, eventData }) => {
  const events = await selectHistory(reader, eventData, query)
  return { entries: events.map(({ type, time, data }) => ({ type, time, data })) }
}
