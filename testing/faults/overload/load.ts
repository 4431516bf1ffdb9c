import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { FaultSite } from '../site.ts'

export interface LoadAnswer {
  /** `performance.now()` */
  readonly at: number
  /** From the time at which the request was due. */
  readonly ms: number
  /** The status, or undefined without an answer. */
  readonly status: number | undefined
  readonly retryAfter: boolean
}

export interface LoadGenerator extends AsyncDisposable {
  /** Sends requests one after another on each of some connections. */
  readonly press: (connections: number, forMs: number) => Promise<LoadAnswer[]>
  /** Sends requests when they are due, however many are unanswered. */
  readonly send: (perSecond: number, forMs: number) => Promise<LoadAnswer[]>
}

const timeoutMs = 20_000
const tickMs = 10
/** To each gateway, as those of an ingress. Requests wait for a free one. */
const mostConnections = 512

/** @param ports of the gateways, which receive the requests in turn @param primaryKeys of users that are read */
export function createLoadGenerator(
  ports: readonly number[],
  { demo }: Pick<FaultSite, 'demo'>,
  primaryKeys: readonly string[],
): LoadGenerator {
  const options = { connections: mostConnections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, options))
  const headers = { authorization: `Bearer ${demo.api_key}` }
  let sent = 0
  const request = (dueAt: number): Promise<LoadAnswer> => {
    const number = sent++
    const pool = pools[number % pools.length]
    const key = primaryKeys[number % primaryKeys.length] ?? ''
    return new Promise((resolve) => {
      let status: number | undefined
      let retryAfter = false
      pool?.dispatch(
        { method: 'GET', path: pathOf(number, key), headers },
        {
          onRequestStart: () => {},
          onResponseStart(_controller, statusCode, responseHeaders) {
            status = statusCode
            retryAfter = responseHeaders['retry-after'] !== undefined
          },
          onResponseData: () => {},
          onResponseEnd: () => resolve({ ...timeSince(dueAt), status, retryAfter }),
          onResponseError: () => resolve({ ...timeSince(dueAt), status: undefined, retryAfter: false }),
        },
      )
    })
  }
  return {
    async press(connections, forMs) {
      const until = performance.now() + forMs
      const answers: LoadAnswer[] = []
      const loop = async () => {
        while (performance.now() < until) answers.push(await request(performance.now()))
      }
      await Promise.all(Array.from({ length: connections }, loop))
      return answers
    },
    async send(perSecond, forMs) {
      const startedAt = performance.now()
      const answers: LoadAnswer[] = []
      let started = 0
      const start = async () => {
        answers.push(await request(startedAt + (started++ * 1_000) / perSecond))
      }
      for (let now = startedAt; now < startedAt + forMs; now = performance.now()) {
        const due = Math.floor(((now - startedAt) / 1_000) * perSecond)
        while (started < due) void start()
        await sleep(tickMs)
      }
      while (answers.length < started) await sleep(tickMs)
      return answers
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}

function timeSince(dueAt: number): Pick<LoadAnswer, 'at' | 'ms'> {
  const at = performance.now()
  return { at, ms: at - dueAt }
}

/** Questions of one and two services, and a write. */
function pathOf(number: number, primaryKey: string): string {
  const kind = number % 10
  if (kind < 5) return `/api/providers_of_user?primary_key=${primaryKey}`
  if (kind < 9) return `/api/profile?primary_key=${primaryKey}`
  return `/api/create_user?primary_key=overload-${number}-${process.pid}`
}
