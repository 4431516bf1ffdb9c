import type { Call } from '#bus'
import { Fault, isLoginEnded, type User } from '#contracts'
import { lockLinkForStoring, transaction } from '#database'
import type { Deps } from '../../deps.ts'
import { SiteLoginError, toAuthorizedParameters } from '../../domain/callback-request.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { createLoginRequiredError } from '../../domain/interaction-required.ts'
import type { ApplicationRequest } from '../../domain/pending-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { issueResponse } from '../../response/issue-response.ts'
import { insertOneTimeToken } from '../../store/one-time-tokens.ts'
import type { CompletedLogin } from '../callback/complete-login.ts'
import { newOneTimeToken } from '../callback/complete-site-login.ts'
import type { PendingTerms } from '../documents/pending-terms.ts'
import { toLoginId } from '../pending/pending-login.ts'

/** A login whose end user has answered, or had nothing to answer any more. */
interface AnsweredLogin {
  readonly terms: PendingTerms
  readonly request: ApplicationRequest
  readonly client: RegisteredClient
  readonly settings: SiteProviderSettings
}

/**
 * Issues what the application receives for a login that is recorded.
 *
 * @throws InteractionRequired or SiteLoginError if the user was deleted or the account unlinked in the meantime
 * @throws Fault `user_blocked`, or if identity is unavailable
 */
export async function completeAnsweredLogin(
  { terms, request, client, settings }: AnsweredLogin,
  deps: Deps,
  call: Call,
): Promise<CompletedLogin> {
  const { site, provider } = settings
  const { identifier, created, link_id, recorded_at, provider_user_id, auth_time_ms, claims, state } = terms
  const user = await findLoggedInUser(terms, { site, request }, deps, call)
  const recorded = { site, identifier, link_id, provider, recorded_at: new Date(recorded_at) }
  const completed = { cookies: [], user: { identifier, created } }
  if (request.response_type === 'one_time_token') {
    const token = await newOneTimeToken(site, deps, call)
    await transaction(deps.knex, async (trx) => {
      if (await lockLinkForStoring(trx, recorded)) await insertOneTimeToken(trx, { ...recorded, token })
    })
    return { ...completed, parameters: toAuthorizedParameters(token) }
  }
  const authenticated = { user, provider_user_id, auth_time: new Date(auth_time_ms), claims }
  const login = { authenticated, recorded, login_id: toLoginId(state) }
  return { ...completed, parameters: await issueResponse(request, client, login, deps, call) }
}

/** The user, if the login still counts. */
async function findLoggedInUser(
  { identifier, link_id, recorded_at }: PendingTerms,
  { site, request }: { readonly site: number; readonly request: ApplicationRequest },
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<User> {
  const throwEnded = (): never => {
    throw request.response_type === 'one_time_token'
      ? new SiteLoginError('user_not_found')
      : createLoginRequiredError('user_deleted')
  }
  const { user, links } = await identity.resolveUser({ site, identifier }, call).catch((error: unknown) => {
    if (error instanceof Fault && error.fault === 'entity_not_found') return throwEnded()
    throw error
  })
  if (!links.some((link) => link.link_id === link_id)) throwEnded()
  if (user.block !== undefined) throw new Fault('user_blocked')
  if (isLoginEnded(user, recorded_at)) throwEnded()
  return user
}
