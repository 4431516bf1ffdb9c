import type { FetchBody } from 'openid-client'

/** Timeout of a call to a login provider, from connecting to the last byte. Our choice. */
export const providerTimeoutMs = 5_000

/**
 * Fetches from a login provider within limits of time and size. It follows no redirects. A POST is never sent twice, because
 * an authorization code is valid for one exchange.
 *
 * @throws ProviderUnavailable if the provider does not respond in time or its circuit is open; ResponseTooLarge
 */
export type FetchFromProvider = (url: string, request: ProviderRequest) => Promise<Response>

interface ProviderRequest {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: FetchBody
  readonly timeoutMs?: number
}

/** The provider could not be reached or did not respond in time. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  constructor(options?: ErrorOptions) {
    super('The provider is not available.', options)
  }
}

/** Whether an error, or one of its causes, is ProviderUnavailable; libraries wrap it. */
export function isProviderUnavailable(error: unknown): boolean {
  return error instanceof ProviderUnavailable || (error instanceof Error && isProviderUnavailable(error.cause))
}

export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
  constructor() {
    super('The response of the provider is too large.')
  }
}
