import type { Call } from '#bus'
import type { Deps } from '../../deps.ts'
import { isRecentEnough } from '../../domain/auth-time.ts'
import type { AuthorizationRequest } from '../../domain/authorization-request.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { createLoginRequiredError, InteractionRequired } from '../../domain/interaction-required.ts'
import { listDataScopes } from '../../domain/scopes.ts'
import { listRequired } from '../../domain/terms.ts'
import { findOpenDocuments } from '../../login/documents/open-documents.ts'
import { type ActiveSession, extendSession } from '../../login/session/session.ts'
import { readSessionUser } from '../../login/session/session-user.ts'
import { issueResponse } from '../../response/issue-response.ts'
import { isAccessRemoved } from '../../store/data-recipients.ts'

/**
 * Handles `prompt=none`: issues a response for the session that the browser has with the site, without any interaction.
 * It does not count as a login.
 *
 * @throws InteractionRequired
 * @throws Fault if identity is unavailable
 */
export async function continueSession(
  session: ActiveSession | undefined,
  request: AuthorizationRequest,
  client: RegisteredClient,
  deps: Deps,
  call: Call,
): Promise<Readonly<Record<string, string>>> {
  const { hinted_identifier } = request
  if (session === undefined || !isRecentEnough(session.auth_time_ms, request, Date.now()))
    throw createLoginRequiredError()
  if (hinted_identifier !== null && hinted_identifier !== session.identifier) throw createLoginRequiredError()
  const current = await readSessionUser(session, deps, call)
  if (current.state !== 'active')
    throw current.state === 'blocked' ? new InteractionRequired('access_denied') : createLoginRequiredError()
  const { user, links } = current
  const claims: Record<string, unknown> = {}
  for (const scope of listDataScopes(request.scope)) {
    // The login did not request this scope.
    if (session.claims[scope] === undefined) throw new InteractionRequired('interaction_required')
    Object.assign(claims, session.claims[scope])
  }

  const { site, identifier, link_id, provider, provider_user_id } = session
  const { client_id } = client
  const access = { site, link_ids: links.map((link) => link.link_id), client_id }
  const [documents, isRemoved] = await Promise.all([
    findOpenDocuments(session, deps, call),
    isAccessRemoved(deps.reader, access),
  ])
  // The user removed the access of the application, and has not logged in to it since.
  if (isRemoved) throw createLoginRequiredError()
  if (listRequired(documents).length > 0) throw new InteractionRequired('consent_required')
  const authenticated = { user, provider_user_id, auth_time: new Date(session.auth_time_ms), claims }
  const recorded = { site, identifier, link_id, provider, recorded_at: new Date(session.recorded_at) }
  const parameters = await issueResponse(request, client, { authenticated, recorded, login_id: null }, deps, call)
  await extendSession(session, deps)
  return parameters
}
