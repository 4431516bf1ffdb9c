import { z } from 'zod'
import { AuthorizationRequest } from './authorization-request.ts'
import { CallbackRequest } from './callback-request.ts'
import type { ExtendedItem } from './extended-items.ts'
import { type Scope, scopes } from './scopes.ts'

/** What the application requested, by response type. */
export const PendingRequest = z.discriminatedUnion('response_type', [AuthorizationRequest, CallbackRequest])
export type PendingRequest = z.infer<typeof PendingRequest>

/**
 * The scopes granted to the application. A site login has all scopes, because the customer reads the data through the
 * Web API later.
 */
export function getScope(request: PendingRequest): readonly Scope[] {
  return request.response_type === 'one_time_token' ? scopes : request.scope
}

/**
 * The items of LINE Profile+ that the request names. A site login gets none without naming it, because end users would be
 * asked for all of them at each login; undefined for requests in which scopes name them.
 */
export function getExtendedItems(request: PendingRequest): readonly ExtendedItem[] | undefined {
  return request.response_type === 'one_time_token' ? request.extended_items : undefined
}
