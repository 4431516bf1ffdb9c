import type { Deps } from '../../deps.ts'
import { isRegisteredUri } from '../../domain/loopback-uri.ts'
import { errorPage, type Outcome } from '../../login/request/outcome.ts'
import type { RequestContext } from '../../login/request/request-context.ts'
import { readLastProvider } from '../../login/session/last-provider.ts'
import { readSession } from '../../login/session/session.ts'
import { listLoginChoices } from '../../pages/buttons/login-choices.ts'
import { buildAuthorizeUri } from '../../uris.ts'
import { continueSession } from './continue-session.ts'
import { respond, respondWithFailure, toResponseTarget } from './respond.ts'
import { startAuthorization } from './start-authorization.ts'
import { isRequestError, parsePrompts, validateRequest } from './validate-request.ts'

/**
 * Handles an authorization request without a provider, as sent by clients that only know discovery: the end user
 * chooses one of the site's providers. If the site has only one, the choice is skipped.
 */
export async function chooseProvider(context: RequestContext, deps: Deps): Promise<Outcome> {
  const { parameters, cookie, call } = context
  const { values } = parameters
  const clientId = values.get('client_id')
  const client = clientId === undefined ? undefined : await deps.siteSettings.findClient(clientId)
  if (client === undefined) return errorPage('client_id_invalid')
  const choices = await listLoginChoices(client.site, deps)
  const [first, ...others] = choices
  const redirectUri = values.get('redirect_uri')
  if (redirectUri === undefined || !isRegisteredUri(redirectUri, client))
    return errorPage('redirect_uri_invalid', { settings: first })

  // ─── The redirect URI is validated: from here on, errors are sent to it. ───

  const address = toResponseTarget(parameters, redirectUri)
  const request = await validateRequest(parameters, { client, passedParameters: {} }, deps)
  if (isRequestError(request)) return respond(address, request, { login: 'client_error', settings: first }, deps)
  if (parsePrompts(parameters).includes('none')) {
    try {
      const open = await readSession(client.site, cookie, deps)
      const session = choices.some(({ provider }) => provider === open?.provider) ? open : undefined
      const issued = await continueSession(session, request, client, deps, call)
      return respond(address, issued, { login: 'continued', settings: first }, deps)
    } catch (error) {
      return respondWithFailure(error, address, { settings: first }, call, deps)
    }
  }
  if (first === undefined) return errorPage('no_provider')
  if (others.length === 0) return startAuthorization({ ...context, ...first }, deps)
  const query = new URLSearchParams([...values]).toString()
  const options = choices.map((choice) => ({
    provider: choice.provider,
    address: `${buildAuthorizeUri(deps, choice)}?${query}`,
  }))
  return {
    kind: 'choice',
    choice: {
      application: client.name,
      client_id: client.client_id,
      options,
      last_provider: readLastProvider(client.site, cookie, deps),
    },
    login: 'prompted',
    settings: first,
  }
}
