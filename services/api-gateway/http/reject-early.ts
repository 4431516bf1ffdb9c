import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { FaultName } from '#contracts'
import { callerAddress, dataHeaders, type RecordResponse, type RequestState } from '#http'
import { createCounter, isTracingEnabled, type Logger } from '#runtime'
import type { Operation } from '../operation.ts'
import type { RateLimitDecision } from '../rate-limit/rate-limiter.ts'
import type { SiteEntry, SiteTable } from '../site-table.ts'
import { findBearerToken, parseKeys } from './api-key.ts'
import { type Base, isServedAt } from './base.ts'
import { describeFault, jsonType } from './envelope.ts'
import { maximumTableAgeMs } from './identify-caller.ts'
import { decisionLabel, rateLimitHeaders } from './rate-limit.ts'
import { getPath, getQuery } from './read-parameters.ts'
import type { RejectCaller } from './reject-caller.ts'

interface EarlyRejectionOptions {
  readonly sites: Pick<SiteTable, 'find' | 'ageMs'>
  readonly operationsByPath: ReadonlyMap<string, Operation>
  readonly trusted_hops: number
  readonly baseOf: (request: IncomingMessage) => Base
  readonly reject: RejectCaller
  readonly findReachedLimit: (site: SiteEntry) => RateLimitDecision | undefined
  readonly windowSeconds: number
  /** The public base URL, without `/api`. */
  readonly webApiUrl: string
  readonly record: RecordResponse
  readonly logger: Logger
  readonly registry: Registry
}

/** A request that certainly gets 401 (without `limited`) or 429. */
interface RejectedRequest {
  readonly operation: Operation
  readonly address: string | undefined
  readonly limited?: { readonly site: SiteEntry; readonly decision: RateLimitDecision }
}

/**
 * Responds to requests with an unknown key (401) and above the limit (429) without the app, at half of its CPU time: a caller can
 * send many of them. The response, its log line and its counters are those of the app. Leaves every request to the app that could get
 * another response.
 *
 * @returns the function that returns whether it responds to a request
 */
export function createEarlyRejection(
  options: EarlyRejectionOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { sites, operationsByPath, trusted_hops, baseOf, reject, findReachedLimit, windowSeconds, webApiUrl } = options
  const { record, logger, registry } = options
  const checks = createCounter(registry, 'sociallogin_apikey_checks_total')
  const decisions = createCounter(registry, 'sociallogin_ratelimit_decisions_total')
  const bodyOf = createBodies(webApiUrl)

  const findRejection = (request: IncomingMessage): RejectedRequest | undefined => {
    if (isTracingEnabled() || sites.ageMs() > maximumTableAgeMs) return undefined
    const key = findOnlyKey(request)
    const operation = key && operationsByPath.get(getPath(request))
    if (!key || !operation) return undefined
    const address = callerAddress(request, trusted_hops)
    const site = sites.find(key)
    if (site === undefined) return { operation, address }
    const base = baseOf(request)
    if (!site.isAllowed(address) || base.isStatic || !isServedAt(base, site.site)) return undefined
    const decision = findReachedLimit(site)
    return decision && { operation, address, limited: { site, decision } }
  }
  const respond = async ({ operation, address, limited }: RejectedRequest, response: ServerResponse) => {
    const startedAt = performance.now()
    const headers: [string, string][] = []
    const state: RequestState = { request_id: randomUUID(), route: operation.name, address }
    if (limited === undefined) {
      const rejected = await reject({ set: (name, value) => headers.push([name, value]) }, 'invalid_api_key', address)
      state.fault = rejected.fault
    } else {
      const { site, decision } = limited
      const { account, site_id, api_key_id } = site
      const { remaining, mode } = decision
      Object.assign(state, { siteName: `${account}/${site_id}`, site: site.site, api_key_id, remaining })
      state.fault = 'too_many_requests'
      checks.inc({ result: 'ok' })
      decisions.inc({ decision: decisionLabel(decision), mode })
      headers.push(...Object.entries(rateLimitHeaders(decision, windowSeconds, Date.now())))
    }
    const { status, text, length, documentation } = bodyOf(state.fault)
    state.faultDocumentation = documentation
    const first = ['X-Request-Id', state.request_id, 'Content-Length', length]
    response.writeHead(status, [...constantHeaders, ...first, ...headers.flat()]).end(text)
    record('GET', { status, state }, performance.now() - startedAt)
  }
  return (request, response) => {
    const rejected = findRejection(request)
    if (rejected === undefined) return false
    respond(rejected, response).catch((error: unknown) => {
      logger.error({ error }, 'defect')
      response.destroy()
    })
    return true
  }
}

const constantHeaders = Object.entries({ ...dataHeaders, 'Content-Type': jsonType }).flat()

/** Creates the function that returns the body of a response to a fault, which is always the same. */
function createBodies(webApiUrl: string) {
  const create = (fault: FaultName) => {
    const { status, documentation, body } = describeFault(webApiUrl, fault)
    const text = JSON.stringify(body)
    return { status, documentation, text, length: String(Buffer.byteLength(text)) }
  }
  const bodies = new Map<FaultName, ReturnType<typeof create>>()
  return (fault: FaultName) => {
    const body = bodies.get(fault)
    if (body !== undefined) return body
    const created = create(fault)
    bodies.set(fault, created)
    return created
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
