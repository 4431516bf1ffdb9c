import { Agent, fetch } from 'undici'
import { createGuardedConnector } from './connector.ts'

/** Sends requests to public or explicitly allowed addresses only, until disposed. It follows no redirects. */
export interface GuardedFetch extends AsyncDisposable {
  /** @throws AddressBlocked, BodyTooLarge or a network error, some as the cause of another error */
  readonly fetch: (url: string, request: GuardedRequest) => Promise<Response>
}

interface GuardedRequest {
  readonly method: string
  readonly headers: Headers | Record<string, string>
  readonly body?: string | URLSearchParams | ReadableStream | ArrayBuffer | Uint8Array | null | undefined
}

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  constructor() {
    super('The response is too large.')
  }
}

interface GuardedFetchOptions {
  /** Timeout of a request, from connecting to the last byte. */
  readonly timeoutMs: number
  /** Maximum size of a decompressed response. */
  readonly maxBytes: number
  /** Whether an address that is not public may be used, also without TLS. */
  readonly isPrivateAllowed: (address: string) => boolean
}

export function createGuardedFetch({ timeoutMs, maxBytes, isPrivateAllowed }: GuardedFetchOptions): GuardedFetch {
  const agent = new Agent({ connect: createGuardedConnector({ timeoutMs, isPrivateAllowed }), allowH2: false })
  return {
    async fetch(url, { method, headers, body = null }) {
      const namedHeaders = { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'social-login' }
      const signal = AbortSignal.timeout(timeoutMs)
      const request = { method, headers: namedHeaders, body, redirect: 'manual', signal, dispatcher: agent } as const
      const response = await fetch(url, request)
      const { status } = response
      return new Response(await readBody(response.body, maxBytes), { status, headers: [...response.headers] })
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
