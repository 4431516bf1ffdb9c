import { z } from 'zod'
import { sendOnce } from '../client.ts'
import type { FaultOperation } from './fault-case.ts'
import { newUserEvents, prepareNewUser } from './new-user.ts'

const Page = z.object({
  events: z.array(z.object({ type: z.string(), user_sequence: z.number(), cursor: z.string() })),
  next_after: z.string(),
})

/** Pages that are read until all events are there; each waits two seconds for the next one. */
const mostPages = 5

/** A new user, and its events as a customer reads them: on the way are the relay of identity and the events service. */
export const eventsOperation: FaultOperation = {
  name: 'events',
  participants: ['identity', 'events', 'api-gateway'],
  // An attempt takes seconds, because it waits for events: the faults of later cases would interrupt its repeats as well.
  exclusive: true,
  async prepare(site, tag) {
    const headers = { authorization: `Bearer ${site.demo.api_key}` }
    const readEvents = async (identifier: string) => {
      const found: string[] = []
      let after: string | undefined
      for (let page = 0; page < mostPages && found.length < newUserEvents.length; page++) {
        const query = new URLSearchParams({ identifier, wait: '2', ...(after !== undefined && { after }) })
        const answer = await sendOnce(`${site.web_api}/events?${query}`, headers)
        if (answer === undefined) return undefined
        if (answer.status !== 200) return answer
        const { events, next_after } = Page.parse(JSON.parse(answer.body))
        found.push(...events.map(({ type, user_sequence }) => `${user_sequence} ${type}`))
        after = next_after
      }
      // The events may still be on the way: a relay takes over from a killed one after its lease.
      return found.length < newUserEvents.length ? undefined : { status: 200, body: found.join(', ') }
    }
    return prepareNewUser({ web_api: site.web_api, api_key: site.demo.api_key, tag, readEvents })
  },
}
