import type { FetchBody } from 'openid-client'

/** What one call to a login provider may take in all, from connecting to the last byte, and its answer weigh. Our choice. */
export const provider_timeout_ms = 5_000
const answer_bytes = 1_048_576

/**
 * Fetches from a login provider: within a time and a size, never following a redirect, never twice. A code is good for one
 * exchange, so what failed is not repeated.
 *
 * @throws TypeError, a TimeoutError, or AnswerTooLong
 */
export async function fetchFromProvider(
  url: string,
  { method, headers, body = null }: ProviderRequest,
): Promise<Response> {
  const signal = AbortSignal.timeout(provider_timeout_ms)
  const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
  return new Response(await readBody(response), { status: response.status, headers: response.headers })
}

interface ProviderRequest {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: FetchBody
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
