import type { Knex } from 'knex'
import { newCall } from '#bus'
import { friendship, type Input, profile } from '#contracts'
import {
  createOutbox as createOutboxOf,
  defineRecipient,
  type OutboxMessage as MessageTo,
  type Outbox as OutboxOf,
} from '#database'
import type { Encryptor, Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'

interface OutboxDeps extends Pick<ServiceClients, 'profile' | 'friendship'> {
  readonly knex: Knex
  readonly encryptor: Encryptor
  readonly logger: Logger
}

function createRecipients({ profile: profiles, friendship: friends }: Pick<OutboxDeps, 'profile' | 'friendship'>) {
  return {
    'profile.recordProviderData': defineRecipient(
      profile.procedures.recordProviderData.input,
      profiles.recordProviderData,
    ),
    'friendship.recordStatus': defineRecipient(friendship.procedures.recordStatus.input, friends.recordStatus),
  }
}

type Recipients = ReturnType<typeof createRecipients>
export type Message = MessageTo<Recipients>
export type Outbox = OutboxOf<Recipients>

/** Creates the outbox. Messages contain personal data, so they are stored encrypted. */
export function createOutbox(parts: OutboxDeps): Outbox {
  return createOutboxOf({ recipients: createRecipients(parts), newCall, ...parts })
}

/** @param event unique to the login */
export function createProviderDataMessage(
  input: Input<(typeof profile.procedures)['recordProviderData']>,
  event: string,
): Message {
  return { to: 'profile.recordProviderData', input, key: `profile.recordProviderData:${event}` }
}

/** @param event unique to the login or webhook event */
export function createFriendshipStatusMessage(
  input: Input<(typeof friendship.procedures)['recordStatus']>,
  event: string,
): Message {
  return { to: 'friendship.recordStatus', input, key: `friendship.recordStatus:${event}` }
}
