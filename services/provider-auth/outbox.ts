import type { Knex } from 'knex'
import type { z } from 'zod'
import { newCall } from '#bus'
import {
  consoleContract,
  type EndUserAction,
  friendshipContract,
  type Input,
  identityContract,
  profileContract,
  providerAuthContract,
} from '#contracts'
import {
  createOutbox as createOutboxOf,
  defineRecipient,
  type OutboxMessage as MessageTo,
  type Outbox as OutboxOf,
} from '#database'
import type { Encryptor, Logger, RedisClient } from '#runtime'
import type { ServiceClients } from './bus.ts'
import { deleteUserSessions, EndedSession } from './store/sessions.ts'

type Recipient = Pick<ServiceClients, 'profile' | 'friendship' | 'console'> & { readonly redis: RedisClient }

interface OutboxDeps extends Recipient {
  readonly knex: Knex
  readonly encryptor: Encryptor
  readonly logger: Logger
}

/** Ends a session in Redis. */
export const endSessionTask = 'redis.endSession'

function createRecipients({ profile: profiles, friendship: friends, console: auditor, redis }: Recipient) {
  return {
    'profile.recordProviderData': defineRecipient(
      profileContract.procedures.recordProviderData.input,
      profiles.recordProviderData,
    ),
    'friendship.recordStatus': defineRecipient(friendshipContract.procedures.recordStatus.input, friends.recordStatus),
    [endSessionTask]: defineRecipient(EndedSession, ({ token_hash, ...user }) =>
      deleteUserSessions({ redis }, user, [token_hash]),
    ),
    'console.recordEndUserAction': defineRecipient(
      consoleContract.procedures.recordEndUserAction.input,
      auditor.recordEndUserAction,
    ),
  }
}

/** When one of these services becomes available, this one included, failed messages are sent again, and logins completed. */
export const providerAuthOutboxServices = [
  providerAuthContract,
  identityContract,
  profileContract,
  friendshipContract,
  consoleContract,
]

type Recipients = ReturnType<typeof createRecipients>
export type ProviderAuthMessage = MessageTo<Recipients>
export type ProviderAuthOutbox = OutboxOf<Recipients>

/** Creates the outbox. Messages contain personal data, so they are stored encrypted. */
export function createProviderAuthOutbox(parts: OutboxDeps): ProviderAuthOutbox {
  return createOutboxOf({ recipients: createRecipients(parts), newCall, ...parts })
}

/** @param event unique to the login */
export function createProviderDataMessage(
  input: Input<(typeof profileContract.procedures)['recordProviderData']>,
  event: string,
): ProviderAuthMessage {
  return { to: 'profile.recordProviderData', input, key: `profile.recordProviderData:${event}` }
}

/** @param event unique to the login or webhook event */
export function createFriendshipStatusMessage(
  input: Input<(typeof friendshipContract.procedures)['recordStatus']>,
  event: string,
): ProviderAuthMessage {
  return { to: 'friendship.recordStatus', input, key: `friendship.recordStatus:${event}` }
}

/** Ends a session in Redis, with the event in the transaction that stores the message. */
export function createSessionEndMessage(input: z.infer<typeof EndedSession>): ProviderAuthMessage {
  return { to: endSessionTask, input, key: `${endSessionTask}:${input.token_hash}` }
}

/** Adds an action of an end user to the audit trail. The end user does not wait for it. */
export function createEndUserActionMessage(input: EndUserAction): ProviderAuthMessage {
  return {
    to: 'console.recordEndUserAction',
    input,
    key: `console.recordEndUserAction:${input.action_id}`,
    immediate: true,
  }
}
