import { z } from 'zod'
import { AccountRequest } from './account-request.ts'
import { AuthorizationRequest } from './authorization-request.ts'
import { CallbackRequest } from './callback-request.ts'
import type { ExtendedItem } from './extended-items.ts'
import { listDataScopes, type Scope, scopes } from './scopes.ts'

/** What was requested, by response type: by an application, or by an end user on the account page. */
export const PendingRequest = z.discriminatedUnion('response_type', [
  AuthorizationRequest,
  CallbackRequest,
  AccountRequest,
])
export type PendingRequest = z.infer<typeof PendingRequest>

/** What an application requested. */
export type ApplicationRequest = AuthorizationRequest | CallbackRequest

/**
 * The scopes of data that are granted to the application. A site login has all scopes, because the customer reads the data through the
 * Web API later, and so has an account that the end user links. A login to the account page only needs the user.
 */
export function getScope(request: PendingRequest): readonly Scope[] {
  if (request.response_type === 'account_page') return request.link_to === null ? ['openid'] : scopes
  return request.response_type === 'one_time_token' ? scopes : listDataScopes(request.scope)
}

/**
 * The items of LINE Profile+ that the request names. A site login gets none without naming it, because end users would be
 * asked for all of them at each login; undefined for requests in which scopes name them.
 */
export function getExtendedItems(request: PendingRequest): readonly ExtendedItem[] | undefined {
  if (request.response_type === 'account_page') return []
  return request.response_type === 'one_time_token' ? request.extended_items : undefined
}
