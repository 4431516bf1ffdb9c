import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Attempt, sendOnce } from '../client.ts'
import type { PreparedRequest } from './fault-case.ts'

const NewUser = z.object({ user: z.object({ identifier: z.string() }) })

interface NewUserRequest {
  readonly web_api: string
  readonly api_key: string
  readonly tag: string
  /** What the customer learns of the user's events. */
  readonly readEvents: (identifier: string) => ReturnType<Attempt>
}

/** The types of a new user's events. */
export const newUserEvents = ['user.created', 'user.mapped'] as const

/** Creates and maps a user with Idempotency-Keys, and then reads what the customer learns of its events. */
export function prepareNewUser({ web_api, api_key, tag, readEvents }: NewUserRequest): PreparedRequest {
  const write = (operation: string, key: string, parameters: Readonly<Record<string, string>>) =>
    sendOnce(`${web_api}/${operation}?${new URLSearchParams(parameters)}`, {
      authorization: `Bearer ${api_key}`,
      'idempotency-key': key,
    })
  const [creation, mapping] = [randomUUID(), randomUUID()]
  let created: string | undefined
  return {
    users: [],
    async attempt() {
      const answer = await write('create_user', creation, { 'provider_user_ids[messaging]': `${tag}-messaging` })
      if (answer === undefined || answer.status !== 200) return answer
      const { identifier } = NewUser.parse(JSON.parse(answer.body)).user
      created = identifier
      const mapped = await write('map', mapping, { identifier, primary_key: `${tag}-key` })
      if (mapped === undefined || mapped.status !== 200) return mapped
      return readEvents(identifier)
    },
    repeat: async () => (created === undefined ? undefined : readEvents(created)),
    findUsers: async () => (created === undefined ? [] : [created]),
  }
}
