import type { Call } from '#bus'
import { lockLinkForStoring, transaction } from '#database'
import type { Deps } from '../deps.ts'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { RegisteredClient } from '../domain/client.ts'
import type { RecordedLinkLogin } from '../domain/link-record.ts'
import {
  type AuthenticatedLogin,
  createAuthorizationResponse,
  storeAuthorizationResponse,
  toResponseParameters,
} from './authorization-response.ts'
import { readResponseClaims } from './user-claims.ts'

/** A login that is recorded already, which a further response is issued for. */
interface RecordedLogin {
  readonly authenticated: AuthenticatedLogin
  readonly recorded: RecordedLinkLogin
  /** The login in the log of logins; null: a session. */
  readonly login_id: string | null
}

/**
 * Issues a response for a login that is recorded and persisted. If its link was deleted meanwhile, the application receives an
 * invalid code.
 *
 * @returns the parameters for the application
 * @throws Fault if identity is unavailable
 */
export async function issueResponse(
  request: AuthorizationRequest,
  client: RegisteredClient,
  { authenticated, recorded, login_id }: RecordedLogin,
  deps: Deps,
  call: Call,
): Promise<Readonly<Record<string, string>>> {
  const claims = { ...authenticated.claims, ...(await readResponseClaims(request, client, recorded, deps, call)) }
  const response = createAuthorizationResponse(request, client, { ...authenticated, claims }, login_id)
  await transaction(deps.knex, async (trx) => {
    if (await lockLinkForStoring(trx, recorded)) await storeAuthorizationResponse(trx, response, recorded, deps)
  })
  return toResponseParameters(response, recorded.provider, deps)
}
