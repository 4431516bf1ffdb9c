import { Agent, type Dispatcher, request } from 'undici'
import { createGuardedConnector } from './connector.ts'
import { classifyRequestError, findErrorCode, type RequestFailure } from './errors.ts'

/** Timeouts of a connection, and of a request from connecting to the end of the response. Our choice. */
const connectTimeoutMs = 5_000
const requestTimeoutMs = 15_000
/** How much of a response is read. Our choice. */
const responseBytes = 1_024

/** A request, and what became of it. */
export interface RequestOutcome {
  readonly sentAt: Date
  readonly durationMs: number
  /** Of the response; null if there was none. */
  readonly status: number | null
  /** Why there was no response; null if there was one. */
  readonly error: RequestFailure | null
  /** Code of that error, such as `ECONNREFUSED`. */
  readonly code: string | null
  /** The beginning of a response; of 2xx only if it was asked for. */
  readonly response: string | null
  /** Of a response 429 or 503 with `Retry-After`. */
  readonly retryAfterSeconds: number
}

interface RequestToSend {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Sends POST requests until disposed, which ends running ones. */
export interface RequestSender extends AsyncDisposable {
  /**
   * Makes one request; it never throws. Redirects are not followed.
   *
   * @param readsSuccess whether the response 2xx is read too
   */
  readonly send: (
    url: string,
    request: RequestToSend,
    options?: { readonly timeoutMs?: number; readonly readsSuccess?: boolean },
  ) => Promise<RequestOutcome>
}

/** @param isPrivateAllowed to which private addresses requests may go, also without TLS */
export function createRequestSender(isPrivateAllowed: (address: string) => boolean): RequestSender {
  const connect = createGuardedConnector({ timeoutMs: connectTimeoutMs, isPrivateAllowed })
  // Connections are limited for each receiver, not for each host, which receivers can share.
  const agent = new Agent({ connect, allowH2: false })
  return {
    async send(url, { headers, body }, { timeoutMs = requestTimeoutMs, readsSuccess = false } = {}) {
      const sentAt = new Date()
      const startedAt = performance.now()
      const describe = (outcome: Omit<RequestOutcome, 'sentAt' | 'durationMs'>): RequestOutcome => ({
        sentAt,
        durationMs: Math.round(performance.now() - startedAt),
        ...outcome,
      })
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const response = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent })
        const { statusCode: status } = response
        if (status >= 200 && status < 300 && !readsSuccess) {
          // Its body has no meaning. What has arrived of it is discarded, so that the connection can be used again.
          response.body.dump({ limit: responseBytes, signal }).catch(() => undefined)
          return describe({ status, error: null, code: null, response: null, retryAfterSeconds: 0 })
        }
        return describe({
          status,
          error: null,
          code: null,
          response: await readBeginning(response.body),
          retryAfterSeconds: [429, 503].includes(status) ? readRetryAfter(response.headers['retry-after']) : 0,
        })
      } catch (error) {
        const failure = { error: classifyRequestError(error), code: findErrorCode(error) }
        return describe({ status: null, ...failure, response: null, retryAfterSeconds: 0 })
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

/** Whether a receiver accepted the request: a response 2xx. */
export function isAccepted({ status }: Pick<RequestOutcome, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Text that can be stored, of what arrives. The rest of the response is discarded, and with it the connection. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      length += bytes.byteLength
      if (length > responseBytes) break
    }
  } catch {
    // The status has decided already.
  }
  return Buffer.concat(chunks).subarray(0, responseBytes).toString('utf8').replaceAll('\0', '')
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(value: string | string[] | undefined): number {
  if (typeof value !== 'string') return 0
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}
