import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { FaultName } from '#contracts'
import { dataHeaders, type RecordResponse, type RequestState } from '#http'
import { createCounter, isTracingEnabled, type Logger } from '#runtime'
import type { Operation } from '../operation.ts'
import type { RateLimitDecision } from '../rate-limit/rate-limiter.ts'
import type { SiteEntry } from '../site-table.ts'
import { findBearerToken, parseKeys } from './api-key.ts'
import { type CheckCaller, type CheckedCaller, describeCaller } from './check-caller.ts'
import { describeFault, jsonType } from './envelope.ts'
import { decisionLabel, rateLimitHeaders } from './rate-limit.ts'
import { getPath, getQuery } from './read-parameters.ts'
import type { RejectCaller, Rejection } from './reject-caller.ts'

interface EarlyRejectionOptions {
  readonly operationsByPath: ReadonlyMap<string, Operation>
  readonly checkCaller: CheckCaller
  readonly reject: RejectCaller
  readonly findReachedLimit: (site: SiteEntry) => RateLimitDecision | undefined
  readonly windowSeconds: number
  /** The public base URL, without `/api`. */
  readonly webApiUrl: string
  readonly record: RecordResponse
  readonly logger: Logger
  readonly registry: Registry
}

export interface EarlyRejection {
  /** Responds to a request that certainly gets an error, and returns whether it does. */
  readonly respondEarly: (request: IncomingMessage, response: ServerResponse) => boolean
  /** The caller of a request that was left to the app, if it was checked: its only key is in its `Authorization` header. */
  readonly findChecked: (request: IncomingMessage) => CheckedCaller | undefined
}

/** A request that certainly gets 401 or 403 (a rejection) or 429 (a decision). */
interface RejectedRequest {
  readonly operation: Operation
  readonly caller: CheckedCaller
  readonly cause: Rejection | RateLimitDecision
}

/**
 * Responds to rejected callers (401, 403) and to requests above the limit (429) without the app, at half of its CPU time: a caller
 * can send many of them. The response, its log line and its counters are those of the app. Leaves every request that could get
 * another response to the app, with its caller, so that no caller is checked twice.
 */
export function createEarlyRejection(options: EarlyRejectionOptions): EarlyRejection {
  const { operationsByPath, checkCaller, reject, findReachedLimit, windowSeconds, webApiUrl } = options
  const { record, logger, registry } = options
  const checks = createCounter(registry, 'sociallogin_apikey_checks_total')
  const decisions = createCounter(registry, 'sociallogin_ratelimit_decisions_total')
  const bodyOf = createBodies(webApiUrl)
  const checkedCallers = new WeakMap<IncomingMessage, CheckedCaller>()

  const findRejection = (request: IncomingMessage): RejectedRequest | undefined => {
    // The app writes the trace.
    const key = isTracingEnabled() ? undefined : findOnlyKey(request)
    const operation = key && operationsByPath.get(getPath(request))
    if (!key || !operation) return undefined
    const caller = checkCaller(request, [key])
    if (caller === undefined) return undefined
    const cause = caller.rejection ?? findReachedLimit(caller.site)
    if (cause !== undefined) return { operation, caller, cause }
    checkedCallers.set(request, caller)
    return undefined
  }
  const respond = async ({ operation, caller, cause }: RejectedRequest, response: ServerResponse) => {
    const startedAt = performance.now()
    const headers: [string, string][] = []
    const state: RequestState = { request_id: randomUUID(), route: operation.name, ...describeCaller(caller) }
    let fault: FaultName = 'too_many_requests'
    if (typeof cause === 'string') {
      const sink = { set: (name: string, value: string) => headers.push([name, value]) }
      fault = (await reject(sink, cause, caller.address)).fault
    } else {
      state.remaining = cause.remaining
      checks.inc({ result: 'ok' })
      decisions.inc({ decision: decisionLabel(cause), mode: cause.mode })
      headers.push(...Object.entries(rateLimitHeaders(cause, windowSeconds, Date.now())))
    }
    const { status, text, length, documentation } = bodyOf(fault, state.hasShortErrors)
    state.fault = fault
    state.faultDocumentation = documentation
    const first = ['X-Request-Id', state.request_id, 'Content-Length', length]
    response.writeHead(status, [...constantHeaders, ...first, ...headers.flat()]).end(text)
    record('GET', { status, state }, performance.now() - startedAt)
  }
  return {
    respondEarly(request, response) {
      const rejected = findRejection(request)
      if (rejected === undefined) return false
      respond(rejected, response).catch((error: unknown) => {
        logger.error({ error }, 'defect')
        response.destroy()
      })
      return true
    },
    findChecked: (request) => checkedCallers.get(request),
  }
}

const constantHeaders = Object.entries({ ...dataHeaders, 'Content-Type': jsonType }).flat()

/** Creates the function that returns the body of a response to a fault, which is always the same. */
function createBodies(webApiUrl: string) {
  const create = (fault: FaultName, isShort: boolean) => {
    const { status, documentation, body } = describeFault(webApiUrl, fault, { isShort })
    const text = JSON.stringify(body)
    return { status, documentation, text, length: String(Buffer.byteLength(text)) }
  }
  const bodies = new Map<string, ReturnType<typeof create>>()
  return (fault: FaultName, isShort = false) => {
    const key = isShort ? `${fault} short` : fault
    const body = bodies.get(key) ?? create(fault, isShort)
    bodies.set(key, body)
    return body
  }
}

/**
 * The key of a GET request without a body whose only key is in its only `Authorization` header, as servers usually send it;
 * undefined for any other request, and for one with several hosts.
 */
function findOnlyKey(request: IncomingMessage): string | undefined {
  const { method, rawHeaders } = request
  if (method !== 'GET' || parseKeys(getQuery(request)).length > 0) return undefined
  let hosts = 0
  let authorization: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase()
    if (name === 'host' && ++hosts > 1) return undefined
    if (name === 'x-api-key' || name === 'content-length' || name === 'transfer-encoding') return undefined
    if (name !== 'authorization') continue
    if (authorization !== undefined) return undefined
    authorization = rawHeaders[index + 1]
  }
  return authorization && findBearerToken(authorization)
}
