import { Agent, fetch } from 'undici'
import { AddressBlocked, createGuardedConnector } from '#http-client'

/** The beginning of a file on a host that a customer names. */
export type PublicFile =
  | { readonly status: number; readonly text: string }
  /** The name has no address, or one that is not public. */
  | 'address_missing'
  /** The host did not respond. */
  | 'unreachable'

/**
 * Reads files without TLS from public addresses. Follows one redirect, and only to the same file over TLS, as most proxies send it.
 */
export interface PublicFileReader extends AsyncDisposable {
  readonly read: (url: string) => Promise<PublicFile>
}

/** Timeout of a request, including the connection. Our choice. */
const timeoutMs = 3_000
const maxBytes = 1_024

/** @param isPrivateAllowed which other addresses may be used */
export function createPublicFileReader(isPrivateAllowed: (address: string) => boolean): PublicFileReader {
  const agent = new Agent({ connect: createGuardedConnector({ timeoutMs, isPrivateAllowed, allowsPlain: true }) })
  return {
    async read(url) {
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const headers = { 'user-agent': 'social-login' }
        const request = { signal, headers, redirect: 'manual', dispatcher: agent } as const
        const plain = await fetch(url, request)
        const secureUrl = url.replace(/^http:/, 'https:')
        const response = plain.headers.get('location') === secureUrl ? await fetch(secureUrl, request) : plain
        return { status: response.status, text: await readBeginning(response.body) }
      } catch (error) {
        return isAddressMissing(error) ? 'address_missing' : 'unreachable'
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

async function readBeginning(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  let text = ''
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length >= maxBytes) break
  }
  return text.slice(0, maxBytes)
}

function isAddressMissing(error: unknown): boolean {
  if (error instanceof AddressBlocked) return true
  if (!(error instanceof Error)) return false
  return Reflect.get(error, 'code') === 'ENOTFOUND' || isAddressMissing(error.cause)
}
