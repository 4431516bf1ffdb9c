import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { Fault, limits } from '#contracts'
import { dataHeaders } from '#http'
import { createCounter } from '#runtime'
import { describeFault, jsonType } from './envelope.ts'

/** The requests that a gateway works on at once. Further ones get 503 with code 1003, so that the others are answered in time. */
export interface RequestSlots {
  /** Takes a slot until it is disposed of. @throws Fault `unavailable` if all are taken */
  readonly take: () => Disposable
  /** Responds at once to a request for which there is no slot, before anything is read of it. Returns whether it did. */
  readonly rejectIfFull: (response: ServerResponse) => boolean
}

/** @param webApiUrl the public base URL, without `/api` */
export function createRequestSlots(most: number, webApiUrl: string, registry: Registry): RequestSlots {
  const rejected = createCounter(registry, 'sociallogin_http_requests_refused_total')
  let taken = 0
  const { status, ...described } = describeFault(webApiUrl, 'unavailable')
  const body = Buffer.from(JSON.stringify(described.body))
  const headers = Object.entries({
    ...dataHeaders,
    'Content-Type': jsonType,
    'Content-Length': String(body.length),
    'Retry-After': String(limits.retry_after_seconds),
  }).flat()
  return {
    take() {
      if (taken >= most) {
        rejected.inc()
        throw new Fault('unavailable')
      }
      taken++
      return { [Symbol.dispose]: () => void taken-- }
    },
    rejectIfFull(response) {
      if (taken < most) return false
      rejected.inc()
      response.writeHead(status, ['X-Request-Id', randomUUID(), ...headers]).end(body)
      return true
    },
  }
}
