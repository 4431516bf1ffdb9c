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

interface OutboxParts extends Pick<ServiceClients, 'profile' | 'friendship'> {
  readonly knex: Knex
  readonly encryptor: Encryptor
  readonly logger: Logger
}

function recipientsOf({ profile: profiles, friendship: friends }: Pick<OutboxParts, 'profile' | 'friendship'>) {
  return {
    'profile.recordProviderData': defineRecipient(
      profile.procedures.recordProviderData.input,
      profiles.recordProviderData,
    ),
    'friendship.recordStatus': defineRecipient(friendship.procedures.recordStatus.input, friends.recordStatus),
  }
}

type Recipients = ReturnType<typeof recipientsOf>
export type Message = MessageTo<Recipients>
export type Outbox = OutboxOf<Recipients>

/** Messages are about people, so they are stored encrypted. */
export function createOutbox(parts: OutboxParts): Outbox {
  return createOutboxOf({ recipients: recipientsOf(parts), newCall, ...parts })
}

/** @param event unique to the login */
export function recordProviderData(
  input: Input<(typeof profile.procedures)['recordProviderData']>,
  event: string,
): Message {
  return { to: 'profile.recordProviderData', input, key: `profile.recordProviderData:${event}` }
}

/** @param event unique to the login or webhook event */
export function recordStatus(input: Input<(typeof friendship.procedures)['recordStatus']>, event: string): Message {
  return { to: 'friendship.recordStatus', input, key: `friendship.recordStatus:${event}` }
}
