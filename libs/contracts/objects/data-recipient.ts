import { z } from 'zod'
import { Timestamp } from '../scalars.ts'

/** What an application can receive of a user: data of a scope, or a claim by the settings of its client. */
export const receivedDataNames = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'user_metadata',
  'app_metadata',
  'consents',
] as const
export type ReceivedData = (typeof receivedDataNames)[number]

/** An application that received data of a user. */
export const DataRecipient = z.object({
  /** Null: the servers of the site, which redeemed a one-time token. They can read all data of the user by the Web API. */
  client_id: z.string().nullable(),
  /** The name of the client; null: the servers of the site, or a client that was removed. */
  name: z.string().nullable(),
  /** What it was allowed to receive, at some time. */
  received: z.array(z.enum(receivedDataNames)),
  first_at: Timestamp,
  /** To the day: a repetition within a day is not recorded. */
  last_at: Timestamp,
  /** When the user removed the access on the account page; null: never, or it received data since. */
  access_removed_at: Timestamp.nullable(),
})
export type DataRecipient = z.infer<typeof DataRecipient>
