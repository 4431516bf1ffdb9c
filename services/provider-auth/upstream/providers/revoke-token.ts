import type { FetchFromProvider } from '../http-client/fetch.ts'
import { ProviderRequestFailed } from './provider.ts'
import { readProviderError } from './provider-error.ts'

/**
 * Revokes a token (RFC 7009 2.1). A token that has already ended is no error, although some providers report one.
 *
 * @param form the provider's parameters
 * @throws ProviderRequestFailed, ProviderUnavailable
 */
export async function revokeToken(
  endpoint: string,
  form: Readonly<Record<string, string>>,
  fetch: FetchFromProvider,
): Promise<void> {
  const headers = { accept: 'application/json' }
  const response = await fetch(endpoint, { method: 'POST', headers, body: new URLSearchParams(form) })
  if (response.ok) return
  const error = await readProviderError(response)
  if (response.status !== 400 || !['invalid_token', 'invalid_grant'].includes(error))
    throw new ProviderRequestFailed(error)
}
