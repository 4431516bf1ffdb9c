import type { OidcProtocol, TokenRevocation } from '#contracts'
import type { ProviderTokens } from '../../domain/credential.ts'
import { ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AdapterDeps } from './adapter.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { readProviderError } from './provider-error.ts'

type Protocol = Pick<OidcProtocol, 'issuer' | 'clientAuthentication'>

/** Creates the function that revokes tokens (RFC 7009 2.1) at a provider, or at the simulator. */
export function createTokenRevoker(
  protocol: Protocol,
  { endpoint, tokens, isAnonymous }: TokenRevocation,
  { toAddress, fetch }: Pick<AdapterDeps, 'toAddress' | 'fetch'>,
) {
  const issuer = toAddress(protocol.issuer)

  /** @throws ProviderRequestFailed, ProviderUnavailable */
  const revokeToken = async (token: string, hint: string, settings: SiteProviderSettings): Promise<void> => {
    const body = new URLSearchParams({ token, ...(isAnonymous ? {} : { token_type_hint: hint }) })
    const headers = new Headers({ accept: 'application/json' })
    if (!isAnonymous) {
      const authenticate = createClientAuthentication({ ...protocol, issuer }, settings)
      await authenticate({ issuer }, { client_id: settings.client_id }, body, headers)
    }
    const response = await fetch(toAddress(endpoint), { method: 'POST', headers: Object.fromEntries(headers), body })
    if (response.ok) return
    // A token that has already ended is no error, although some providers report one.
    const error = await readProviderError(response)
    if (response.status !== 400 || !['invalid_token', 'invalid_grant'].includes(error))
      throw new ProviderRequestFailed(error)
  }

  return async (settings: SiteProviderSettings, { refresh_token, access_token }: ProviderTokens): Promise<void> => {
    const revocable = Object.entries({ refresh_token, access_token }).flatMap(([hint, token]) =>
      token === null ? [] : [{ hint, token }],
    )
    for (const { hint, token } of tokens === 'one' ? revocable.slice(0, 1) : revocable)
      await revokeToken(token, hint, settings)
  }
}
