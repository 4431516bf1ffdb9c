import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Answer, sendOnce } from '../client.ts'
import type { FaultOperation } from './fault-case.ts'

const Page = z.object({
  events: z.array(z.object({ type: z.string(), user_sequence: z.number(), cursor: z.string() })),
  next_after: z.string(),
})
const NewUser = z.object({ user: z.object({ identifier: z.string() }) })

const expected = ['user.created', 'user.mapped', 'user.linked']
/** Pages that are read until all events are there; each waits two seconds for the next one. */
const mostPages = 5

/** The identifier in the answer of `create_user`. */
export function readNewUser({ body }: Answer): string {
  return NewUser.parse(JSON.parse(body)).user.identifier
}

/** A new user, and its events as a customer reads them: on the way are the relay of identity and the events service. */
export const eventsOperation: FaultOperation = {
  name: 'events',
  participants: ['identity', 'events', 'api-gateway'],
  async prepare(site, tag) {
    const headers = { authorization: `Bearer ${site.demo.api_key}` }
    const command = { ...headers, 'idempotency-key': randomUUID() }
    const parameters = { primary_key: `${tag}-key`, 'provider_user_ids[messaging]': `${tag}-messaging` }
    const creation = `${site.web_api}/create_user?${new URLSearchParams(parameters)}`
    let created: string | undefined
    const readEvents = async (identifier: string) => {
      const found: string[] = []
      let after: string | undefined
      for (let page = 0; page < mostPages && found.length < expected.length; page++) {
        const query = new URLSearchParams({ identifier, wait: '2', ...(after !== undefined && { after }) })
        const answer = await sendOnce(`${site.web_api}/events?${query}`, headers)
        if (answer === undefined) return undefined
        if (answer.status !== 200) return answer
        const { events, next_after } = Page.parse(JSON.parse(answer.body))
        found.push(...events.map(({ type, user_sequence }) => `${user_sequence} ${type}`))
        after = next_after
      }
      // The events may still be on the way: a relay takes over from a killed one after its lease.
      return found.length < expected.length ? undefined : { status: 200, body: found.join(', ') }
    }
    return {
      users: [],
      async attempt() {
        const answer = await sendOnce(creation, command)
        if (answer === undefined || answer.status !== 200) return answer
        created = readNewUser(answer)
        return readEvents(created)
      },
      repeat: async () => (created === undefined ? undefined : readEvents(created)),
      findUsers: async () => (created === undefined ? [] : [created]),
    }
  },
}
