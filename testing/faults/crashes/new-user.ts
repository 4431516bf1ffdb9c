import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Attempt, sendOnce } from '../client.ts'
import type { PreparedRequest } from './fault-case.ts'

const NewUser = z.object({ user: z.object({ identifier: z.string() }) })

interface NewUserRequest {
  readonly web_api: string
  readonly api_key: string
  /** Those of `create_user`. */
  readonly parameters: Readonly<Record<string, string>>
  /** What the customer learns of the user's events. */
  readonly readEvents: (identifier: string) => ReturnType<Attempt>
}

/** Creates a user with an Idempotency-Key, and then reads what the customer learns of its events. */
export function prepareNewUser({ web_api, api_key, parameters, readEvents }: NewUserRequest): PreparedRequest {
  const headers = { authorization: `Bearer ${api_key}`, 'idempotency-key': randomUUID() }
  let created: string | undefined
  return {
    users: [],
    async attempt() {
      const answer = await sendOnce(`${web_api}/create_user?${new URLSearchParams(parameters)}`, headers)
      if (answer === undefined || answer.status !== 200) return answer
      created = NewUser.parse(JSON.parse(answer.body)).user.identifier
      return readEvents(created)
    },
    repeat: async () => (created === undefined ? undefined : readEvents(created)),
    findUsers: async () => (created === undefined ? [] : [created]),
  }
}
