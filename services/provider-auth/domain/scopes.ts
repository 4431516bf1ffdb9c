import type { RegisteredClient } from './client.ts'

/** The scopes that request data of the user (specification, authorization endpoint). */
export const scopes = ['openid', 'profile', 'email', 'address', 'phone'] as const
export type Scope = (typeof scopes)[number]

/** The scope with which an application reads and changes `user_metadata`. Login providers are not asked for anything by it. */
export const userMetadataScope = 'user_metadata:write'

export const requestableScopes = [...scopes, userMetadataScope] as const
export type RequestableScope = (typeof requestableScopes)[number]

/** The scopes that a client can request; all others are invalid (specification, authorization endpoint). */
export function listClientScopes({
  user_metadata_write,
}: Pick<RegisteredClient, 'user_metadata_write'>): readonly RequestableScope[] {
  return user_metadata_write ? requestableScopes : scopes
}

/** The requested scopes that request data of the user. */
export function listDataScopes(requested: readonly RequestableScope[]): readonly Scope[] {
  return requested.filter((scope) => scope !== userMetadataScope)
}
