import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { FaultSite } from '../site.ts'

export interface LoadAnswer {
  /** `performance.now()` */
  readonly at: number
  /** From the time at which the request was due. */
  readonly ms: number
  /** From the time at which the request was due until this process sent it, or queued it for a connection. */
  readonly sentAfterMs: number
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
  const request = (dueAt: number, answered: (answer: LoadAnswer) => void): void => {
    const number = sent++
    const pool = pools[number % pools.length]
    const key = primaryKeys[number % primaryKeys.length] ?? ''
    const sentAfterMs = performance.now() - dueAt
    let status: number | undefined
    let retryAfter = false
    const end = (endStatus: number | undefined) => {
      const at = performance.now()
      answered({ at, ms: at - dueAt, sentAfterMs, status: endStatus, retryAfter })
    }
    pool?.dispatch(
      { method: 'GET', path: pathOf(number, key), headers },
      {
        onRequestStart: () => {},
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode
          retryAfter = responseHeaders['retry-after'] !== undefined
        },
        onResponseData: () => {},
        onResponseEnd: () => end(status),
        onResponseError: () => end(undefined),
      },
    )
  }
  return {
    async press(connections, forMs) {
      const until = performance.now() + forMs
      const answers = createAnswerLog()
      const loop = async () => {
        while (performance.now() < until)
          answers.add(await new Promise<LoadAnswer>((resolve) => request(performance.now(), resolve)))
      }
      await Promise.all(Array.from({ length: connections }, loop))
      return answers.read()
    },
    async send(perSecond, forMs) {
      const startedAt = performance.now()
      const answers = createAnswerLog()
      let started = 0
      for (let now = startedAt; now < startedAt + forMs; now = performance.now()) {
        const due = Math.floor(((now - startedAt) / 1_000) * perSecond)
        while (started < due) request(startedAt + (started++ * 1_000) / perSecond, answers.add)
        await sleep(tickMs)
      }
      while (answers.length() < started) await sleep(tickMs)
      return answers.read()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}

interface AnswerLog {
  readonly add: (answer: LoadAnswer) => void
  readonly length: () => number
  readonly read: () => LoadAnswer[]
}

const numbersOfAnswer = 5
const answersOfBlock = 10_000

/** Keeps answers as numbers, because garbage collections of hundreds of thousands of objects delay the requests that follow. */
function createAnswerLog(): AnswerLog {
  const blocks: Float64Array[] = []
  let length = 0
  return {
    add({ at, ms, sentAfterMs, status, retryAfter }) {
      const index = length++ % answersOfBlock
      if (index === 0) blocks.push(new Float64Array(answersOfBlock * numbersOfAnswer))
      blocks.at(-1)?.set([at, ms, sentAfterMs, status ?? 0, retryAfter ? 1 : 0], index * numbersOfAnswer)
    },
    length: () => length,
    read: () =>
      Array.from({ length }, (_, number) => {
        const from = (number % answersOfBlock) * numbersOfAnswer
        const [at = 0, ms = 0, sentAfterMs = 0, status = 0, retryAfter = 0] =
          blocks[Math.floor(number / answersOfBlock)]?.subarray(from, from + numbersOfAnswer) ?? []
        return { at, ms, sentAfterMs, status: status || undefined, retryAfter: retryAfter === 1 }
      }),
  }
}

/** Questions of one and two services, and a write. */
function pathOf(number: number, primaryKey: string): string {
  const kind = number % 10
  if (kind < 5) return `/api/providers_of_user?primary_key=${primaryKey}`
  if (kind < 9) return `/api/profile?primary_key=${primaryKey}`
  return `/api/create_user?primary_key=overload-${number}-${process.pid}`
}
