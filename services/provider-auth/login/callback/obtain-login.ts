import type { Deps } from '../../deps.ts'
import { getExtendedItems, getScope, type PendingRequest } from '../../domain/pending-request.ts'
import type { AdapterState, ProviderLogin } from '../../domain/provider-client.ts'
import { limitToRequested } from '../../domain/requested-items.ts'
import { buildProviderCallbackUri } from '../../uris.ts'
import type { ValidatedLogin } from '../pending/client-validation.ts'
import { decryptPostedForm } from '../request/posted-form.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'

interface CallbackLogin extends Pick<ValidatedLogin, 'providerClient' | 'settings'> {
  readonly request: PendingRequest
  readonly state: string
  readonly adapterState: AdapterState
}

/** The provider's response is invalid, or the provider or the end user denied the login; see the cause. */
export class ProviderLoginError extends Error {
  override readonly name = 'ProviderLoginError'
  constructor(cause: unknown) {
    super('The login failed at the provider.', { cause })
  }
}

/**
 * Obtains the login from the provider, limited to the items that the request's scopes cover.
 *
 * @throws ProviderLoginError; any other error is ours
 */
export async function obtainLogin(
  { providerClient, settings, request, state, adapterState }: CallbackLogin,
  { parameters, rawParameters }: Pick<SettingsRequestContext, 'parameters' | 'rawParameters'>,
  deps: Deps,
): Promise<ProviderLogin> {
  const scope = getScope(request)
  const callbackUri = buildProviderCallbackUri(deps, settings)
  const atProvider = { settings, callbackUri, state, scope, extendedItems: getExtendedItems(request) }
  const query = providerClient.usesFormPost
    ? await decryptPostedForm(state, parameters.values.get('returned'), deps)
    : rawParameters
  if (query === undefined)
    throw new Error('The provider did not post a form, or the redirect after the form has expired.')
  const obtained = await providerClient.finishLogin(atProvider, { query, adapterState }).catch((error: unknown) => {
    throw new ProviderLoginError(error)
  })
  return { ...obtained, data: limitToRequested(obtained.data, providerClient.supplies, scope) }
}
