import { z } from 'zod'
import { Identifier } from '#contracts'
import { ExtendedItem } from './extended-items.ts'

/** A request of a site login: log in, or link another account; the response is a one-time token. */
export const CallbackRequest = z.object({
  response_type: z.literal('one_time_token'),
  client_id: z.string(),
  /** The `callback` as registered. */
  redirect_uri: z.string(),
  state: z.string().nullable().default(null),
  extended_items: z.array(ExtendedItem).default([]),
  /** The user to link the account to; null: a login. */
  association: z.object({ identifier: Identifier, token_hash: z.string() }).nullable().default(null),
})
export type CallbackRequest = z.infer<typeof CallbackRequest>

/** Why a login or link request failed, as reported to the customer's callback. */
export const failureReasons = [
  'access_denied',
  'token_invalid',
  'already_linked',
  'linked_to_another_user',
  'provider_unavailable',
  'server_error',
] as const
export type FailureReason = (typeof failureReasons)[number]

export function toAuthorizedParameters(token: string) {
  return { status: 'authorized', token } as const
}

/** @param reason one of ours, or the provider's error */
export function toFailedParameters(reason: FailureReason | (string & {})) {
  return { status: 'failed', reason } as const
}

/** An account cannot be linked. */
export class LinkError extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`The account cannot be linked: ${reason}.`, options)
    this.name = 'LinkRefused'
    this.reason = reason
  }
}
