import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, setGlobalDispatcher } from 'undici'
import { logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import { authorizeUrl, readSubject } from '../crashes/login-operations.ts'
import type { FaultSite } from '../site.ts'
import type { EffectRecord } from './effect-record.ts'

/** `ok`, `unavailable` (an answer that says so and when to try again), a page that rejects a login, or what happened instead. */
export type TrafficOutcome = 'ok' | 'unavailable' | `rejected: ${string}` | `unexpected: ${string}`

/** One request of a client. */
export interface TrafficSample {
  readonly kind: string
  /** `performance.now()` */
  readonly startedAt: number
  readonly ms: number
  readonly outcome: TrafficOutcome
}

export interface Traffic extends AsyncDisposable {
  /** All requests so far, in the order of their answers. */
  readonly samples: readonly TrafficSample[]
  /** Ends the traffic; resolves when every write has a definite answer. */
  readonly stop: () => Promise<void>
}

export interface TrafficOptions {
  readonly site: FaultSite
  readonly record: EffectRecord
  /** Clients of each kind. */
  readonly clients: number
  /** Whether clients use their connections again; otherwise each request opens a connection, as one that an ingress balances. */
  readonly keepAlive: boolean
  /** Whether customers' servers and administrators also list users, who may be some seconds old. */
  readonly readsLists?: boolean
}

/** Longer than any request may take. */
const timeoutMs = 20_000
const pauseMs = 50
/** How long a client repeats a write after the end of the traffic. */
const repeatMs = 30_000

/** Customers' servers, end users and administrators that send one request after another, and record what was answered. */
export function startTraffic({ site, record, clients, keepAlive, readsLists }: TrafficOptions): Traffic {
  setGlobalDispatcher(new Agent({ pipelining: keepAlive ? 1 : 0 }))
  const samples: TrafficSample[] = []
  const stopping = new AbortController()
  let stoppedAt = Number.POSITIVE_INFINITY
  const measure = async <T extends { outcome: TrafficOutcome }>(kind: string, send: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const result = await send()
    samples.push({ kind, startedAt, ms: performance.now() - startedAt, outcome: result.outcome })
    return result
  }
  const loop = async (work: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await work()
      await sleep(pauseMs)
    }
  }
  /** Repeats a write with its key until it has a definite answer. */
  const write = async (operation: string, parameters: Record<string, string>): Promise<string | undefined> => {
    const key = randomUUID()
    while (performance.now() < stoppedAt + repeatMs) {
      const result = await measure(operation, () => callWebApi(site, operation, parameters, key))
      if (result.outcome === 'ok') return result.body
      await sleep(pauseMs * 4)
    }
    return undefined
  }

  const customer = async () => {
    const name = `t${randomUUID().replaceAll('-', '').slice(0, 16)}`
    const body = await write('create_user', { primary_key: name, 'provider_user_ids[messaging]': name })
    const identifier = body === undefined ? undefined : /"identifier":"([^"]+)"/.exec(body)?.[1]
    if (identifier === undefined) return
    record.created(name, identifier)
    await measure('providers_of_user', () => callWebApi(site, 'providers_of_user', { primary_key: name }))
    if (Math.random() < 0.3) {
      record.deleting(name)
      if ((await write('delete_user', { primary_key: name })) !== undefined) record.deleted(name)
    }
  }
  const endUser = async (user: string) => {
    const { outcome, body } = await measure('login', () => logInAs(site, user))
    if (outcome === 'ok') record.loggedIn(user, body)
  }
  const administrator = async () => {
    const address = `${site.console}/admin/v1/accounts/${site.demo.account}/sites`
    await measure('console', () => get(address, { authorization: `Bearer ${site.access.console_token}` }))
    await sleep(pauseMs * 4)
  }

  const reader = async () => {
    await measure('users', () => callWebApi(site, 'users', {}))
    const address = `${site.console}/admin/v1/accounts/${site.demo.account}/sites/${site.demo.site_id}/users`
    const authorization = `Bearer ${site.access.console_token}`
    await measure('list of users', () => get(address, { authorization, 'cache-control': 'max-age=60' }))
  }

  const running = Array.from({ length: clients }, () => {
    const user = `u${randomUUID().replaceAll('-', '').slice(0, 16)}`
    return [loop(customer), loop(() => endUser(user)), loop(administrator), ...(readsLists ? [loop(reader)] : [])]
  }).flat()
  const stop = async () => {
    stoppedAt = Math.min(stoppedAt, performance.now())
    stopping.abort()
    await Promise.all(running)
  }
  return { samples, stop, [Symbol.asyncDispose]: stop }
}

interface Result {
  readonly outcome: TrafficOutcome
  readonly body: string
}

function callWebApi(
  { web_api, demo }: FaultSite,
  operation: string,
  parameters: Record<string, string>,
  key?: string,
): Promise<Result> {
  return get(`${web_api}/${operation}?${new URLSearchParams(parameters)}`, {
    authorization: `Bearer ${demo.api_key}`,
    ...(key !== undefined && { 'idempotency-key': key }),
  })
}

async function get(address: string, headers: Record<string, string>): Promise<Result> {
  try {
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(timeoutMs) })
    const body = await response.text()
    if (response.ok) return { outcome: 'ok', body }
    const isOutage = response.status === 503 && response.headers.has('retry-after')
    return { outcome: isOutage ? 'unavailable' : `unexpected: ${response.status} ${body.slice(0, 200)}`, body }
  } catch (error) {
    return { outcome: `unexpected: ${causeOf(error)}`, body: '' }
  }
}

/** The body is the subject of the ID token. */
async function logInAs(site: FaultSite, user: string): Promise<Result> {
  try {
    const { hash } = await withTimeout(logIn(openTestBrowser(), authorizeUrl(site, 'id_token'), { user }))
    const result = new URLSearchParams(hash.slice(1))
    const idToken = result.get('id_token')
    if (idToken !== null) return { outcome: 'ok', body: readSubject(idToken) }
    const error = result.get('error')
    // The specification has no other error for an outage.
    return { outcome: error === 'server_error' ? 'unavailable' : `unexpected: ${error}`, body: '' }
  } catch (error) {
    const cause = causeOf(error)
    if (cause.startsWith('Expected a redirect, not 503')) return { outcome: 'unavailable', body: '' }
    const isRejected = cause.startsWith('Expected a redirect, not 400')
    return { outcome: `${isRejected ? 'rejected' : 'unexpected'}: ${cause}`, body: '' }
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timeout')), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? causeOf(error.cause) : error.message.slice(0, 200)
}
