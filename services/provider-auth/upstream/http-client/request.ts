import { type Dispatcher, fetch } from 'undici'
import { type FetchFromProvider, ProviderUnavailable, providerTimeoutMs, ResponseTooLarge } from './fetch.ts'

/** Maximum size of a decompressed response. Our choice. */
const maxResponseBytes = 1_048_576

/**
 * Sends one request within limits of time and size. It follows no redirects. A POST is never sent twice, because an
 * authorization code is valid for one exchange.
 *
 * @throws ProviderUnavailable if the provider does not respond in time, ResponseTooLarge
 */
export function createFetch(dispatcher: Dispatcher): FetchFromProvider {
  return async (url, { method, headers, body = null, timeoutMs = providerTimeoutMs }) => {
    const namedHeaders = { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'social-login' }
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, { method, headers: namedHeaders, body, redirect: 'manual', signal, dispatcher })
      const { status } = response
      return new Response(await readBody(response.body), { status, headers: [...response.headers] })
    } catch (error) {
      throw error instanceof ResponseTooLarge ? error : new ProviderUnavailable({ cause: error })
    }
  }
}

async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<Buffer<ArrayBuffer> | null> {
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxResponseBytes) throw new ResponseTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
