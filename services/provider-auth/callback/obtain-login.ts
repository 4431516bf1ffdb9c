import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { limitToRequested } from '../domain/requested-items.ts'
import type { Admitted } from '../login/admission.ts'
import type { SettingsArrival } from '../login/arrival.ts'
import { type PendingRequest, scopeOf } from '../login/pending-login.ts'
import { openPostedForm } from '../login/posted-form.ts'
import type { Kept, Login } from '../providers/provider.ts'

interface ReturnedLogin extends Pick<Admitted, 'login_provider' | 'settings'> {
  readonly request: PendingRequest
  readonly state: string
  readonly kept: Kept
}

/** What the provider sent or answered is wrong, or the provider or the user said no; the cause says which. */
export class FailedAtProvider extends Error {
  constructor(cause: unknown) {
    super('The login failed at the provider.', { cause })
    this.name = 'FailedAtProvider'
  }
}

/**
 * Obtains the login from the provider: what the scopes of the request cover, and no more.
 *
 * @throws FailedAtProvider; any other error is ours
 */
export async function obtainLogin(
  { login_provider, settings, request, state, kept }: ReturnedLogin,
  { parameters, text }: Pick<SettingsArrival, 'parameters' | 'text'>,
  deps: Deps,
): Promise<Login> {
  const scope = scopeOf(request)
  const atProvider = { settings, callbackUri: providerCallback(deps, settings), state, scope }
  const query = login_provider.returnsByForm
    ? await openPostedForm(state, parameters.values.get('returned'), deps)
    : text
  if (query === undefined)
    throw new Error('The provider posted no form, or the browser followed the redirect too late.')
  const obtained = await login_provider.finish(atProvider, { query, kept }).catch((error: unknown) => {
    throw new FailedAtProvider(error)
  })
  return { ...obtained, data: limitToRequested(obtained.data, settings.provider, scope) }
}
