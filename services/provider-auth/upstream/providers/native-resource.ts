import type { z } from 'zod'
import { AppLoginRejected, ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'

/**
 * Reads a provider's resource with a token, or about one.
 *
 * @param bearer the token to authenticate with, if any
 * @throws AppLoginRejected if the provider rejects the token; ProviderRequestFailed, ProviderUnavailable, ZodError
 */
export async function readResource<S extends z.ZodType>(
  schema: S,
  address: string,
  fetch: FetchFromProvider,
  bearer?: string,
): Promise<z.output<S>> {
  const headers = { accept: 'application/json', ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
  const response = await fetch(address, { method: 'GET', headers })
  const text = await response.text()
  if (response.ok) return schema.parse(JSON.parse(text))
  if (rejectionStatuses.has(response.status)) throw new AppLoginRejected('app_access_token_invalid')
  throw new ProviderRequestFailed(`status_${response.status}`)
}

/** RFC 6750 3.1. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 401, 403])
