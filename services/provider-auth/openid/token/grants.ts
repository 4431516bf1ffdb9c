import { newCall } from '#bus'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { redeemAuthorizationCode, type TokenResponse } from './redeem-code.ts'
import { parseTokenRequest } from './token-request.ts'

/** A request of an authenticated client to the token endpoint. */
export interface GrantRequest {
  readonly form: ReadonlyMap<string, string>
  readonly client: RegisteredClient
  /** The caller's IP address, if it is known. */
  readonly address: string | undefined
  readonly request_id: string
}

/**
 * Issues tokens for one `grant_type` (RFC 6749 4).
 *
 * @throws OAuthError
 * @throws Fault if another service is unavailable
 */
export type TokenGrant = (request: GrantRequest, deps: Deps) => Promise<TokenResponse>

/** The grants of the token endpoint by `grant_type`. */
export type TokenGrants = ReadonlyMap<string, TokenGrant>

/** The authorization code grant (RFC 6749 4.1.3). */
export const authorizationCodeGrant: TokenGrant = ({ form, client, request_id }, deps) =>
  redeemAuthorizationCode(parseTokenRequest(form, client), client, deps, newCall({ request_id }))
