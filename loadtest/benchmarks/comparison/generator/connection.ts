import { Client } from 'undici'
import type { z } from 'zod'
import type { LoadRequest } from './protocol.ts'

type ParsedRequest = z.output<typeof LoadRequest>

/** One connection, with one request at a time. */
export interface LoadConnection {
  /** Rejects if the response is not the expected one. */
  readonly send: (request: ParsedRequest, checksBody: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

export function openConnection(address: string): LoadConnection {
  const client = new Client(address)
  return {
    send: ({ method, path, headers, body, status, contains }, checksBody) =>
      new Promise((resolve, reject) => {
        let received = 0
        const chunks: Buffer[] = []
        client.dispatch(
          { method, path, headers, body: body ?? null },
          {
            // undici recognizes the current form of a handler by this function.
            onRequestStart() {},
            onResponseStart(_, statusCode) {
              received = statusCode
            },
            onResponseData(_, chunk) {
              if (checksBody || received !== status) chunks.push(chunk)
            },
            onResponseEnd() {
              const text = chunks.length === 0 ? '' : Buffer.concat(chunks).toString()
              const missing = checksBody ? contains.find((part) => !text.includes(part)) : undefined
              if (received === status && missing === undefined) return resolve()
              const expected = missing === undefined ? `${status}` : `${status} with ${missing}`
              reject(new Error(`${path} returned ${received} instead of ${expected}: ${text.slice(0, 500)}`))
            },
            onResponseError(_, error) {
              reject(error)
            },
          },
        )
      }),
    close: () => client.close(),
  }
}
