import type { FetchBody } from 'openid-client'

/** What one call to a login provider may take in all, from connecting to the last byte. Our choice. */
export const providerTimeoutMs = 5_000

/**
 * Fetches from a login provider: within a time and a size, never following a redirect, never twice. A code is good for one
 * exchange, so what failed is not repeated.
 *
 * @throws ProviderUnavailable when nothing came in time, or nothing is asked because that failed too often; AnswerTooLong
 */
export type FetchFromProvider = (url: string, request: ProviderRequest) => Promise<Response>

interface ProviderRequest {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: FetchBody
  readonly timeoutMs?: number
}

/** The provider could not be reached, or did not answer in time. */
export class ProviderUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('The provider is not available.', options)
    this.name = 'ProviderUnavailable'
  }
}

/** Whether an error, whatever a library made of it, comes of a provider that did not answer. */
export function isProviderUnavailable(error: unknown): boolean {
  return error instanceof ProviderUnavailable || (error instanceof Error && isProviderUnavailable(error.cause))
}

export class ResponseTooLarge extends Error {
  constructor() {
    super('The provider answered with too many bytes.')
    this.name = 'AnswerTooLong'
  }
}
