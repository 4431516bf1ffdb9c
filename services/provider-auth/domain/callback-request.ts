import { z } from 'zod'
import { Identifier } from '#contracts'
import { ExtendedItem } from './extended-items.ts'

/** A request of a site login: log in, or link another account; the response is a one-time token. */
export const CallbackRequest = z.object({
  response_type: z.literal('one_time_token'),
  client_id: z.string(),
  /** Where the response is sent: `callback`. */
  redirect_uri: z.string(),
  /** Where the response is sent after a failure: `callback_if_failed`; null: `redirect_uri`. */
  failure_uri: z.string().nullable().default(null),
  /** Whether both may be any URL in the site's domains, instead of redirect URIs of the client only. */
  by_domain: z.boolean().default(false),
  state: z.string().nullable().default(null),
  /** Whether only accounts that a user has may log in. */
  existing_users_only: z.boolean().default(false),
  extended_items: z.array(ExtendedItem).default([]),
  /** The user to link the account to; null: a login. */
  association: z.object({ identifier: Identifier, token_hash: z.string() }).nullable().default(null),
})
export type CallbackRequest = z.infer<typeof CallbackRequest>

/** Where a site login returns. */
export type SiteCallbacks = Pick<CallbackRequest, 'redirect_uri' | 'failure_uri' | 'by_domain'>

/** Why a login or link request failed, as reported to the customer's callback. */
export const failureReasons = [
  'access_denied',
  'token_invalid',
  'already_linked',
  'linked_to_another_user',
  'user_not_found',
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

/** A site login is rejected by our rules. */
export class SiteLoginError extends Error {
  override readonly name = 'SiteLoginError'
  readonly reason: FailureReason

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`The site login is rejected: ${reason}.`, options)
    this.reason = reason
  }
}
