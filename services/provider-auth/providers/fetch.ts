import type { FetchBody } from 'openid-client'

/** What one call to a login provider may take in all, from connecting to the last byte, and its answer weigh. Our choice. */
export const provider_timeout_ms = 5_000
const answer_bytes = 1_048_576

/**
 * Fetches from a login provider: within a time and a size, never following a redirect, never twice. A code is good for one
 * exchange, so what failed is not repeated.
 *
 * @throws ProviderUnavailable when nothing came in time, AnswerTooLong
 */
export async function fetchFromProvider(
  url: string,
  { method, headers, body = null, timeout_ms = provider_timeout_ms }: ProviderRequest,
): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeout_ms)
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    return new Response(await readBody(response), { status: response.status, headers: response.headers })
  } catch (error) {
    throw error instanceof AnswerTooLong ? error : new ProviderUnavailable({ cause: error })
  }
}

export type FetchFromProvider = (url: string, request: ProviderRequest) => Promise<Response>

interface ProviderRequest {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: FetchBody
  readonly timeout_ms?: number
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

export class AnswerTooLong extends Error {
  constructor() {
    super('The provider answered with too many bytes.')
    this.name = 'AnswerTooLong'
  }
}

async function readBody(response: Response): Promise<Buffer<ArrayBuffer> | null> {
  if (response.body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    if (length > answer_bytes) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
