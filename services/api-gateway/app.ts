import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import { newCall } from '#bus'
import { Fault } from '#contracts'
import {
  type App,
  type Context,
  createApp,
  dataHeaders,
  MalformedParameters,
  type OnResponse,
  type Parameters,
  readMaxAge,
  setAge,
} from '#http'
import type { Logger } from '#runtime'
import type { RequestCommand } from './caller.ts'
import { createDescriptionRoutes } from './description/routes.ts'
import { findApiKeys, parseKeys } from './http/api-key.ts'
import type { Base } from './http/base.ts'
import { isFromBrowser } from './http/browser.ts'
import type { CheckedCaller } from './http/check-caller.ts'
import { createEnvelope, sendOk } from './http/envelope.ts'
import { forwardRequest } from './http/forward.ts'
import { createHostProofRoute } from './http/host-proof.ts'
import { readIdempotencyKey } from './http/idempotency-key.ts'
import type { IdentifyCaller } from './http/identify-caller.ts'
import type { RateLimitCheck } from './http/rate-limit.ts'
import { getPath, getQuery, mergeParameters, readPostForm } from './http/read-parameters.ts'
import type { RequestSlots } from './http/request-slots.ts'
import { sendStream } from './http/send-stream.ts'
import { createWaiting, holdSlot } from './http/waiting.ts'
import type { RunIdempotent } from './idempotency.ts'
import { type Operation, type OperationDeps, resourcesOf, StreamedResponse } from './operation.ts'
import { operations } from './operations/index.ts'
import { isFlagSet } from './parameters/flag.ts'
import type { SiteEntry } from './site-table.ts'

/** How old a response may be that may be stale, if the caller does not say. Our choice; identity usually allows less. */
const staleResponseMs = 60_000

export interface GatewayOptions {
  readonly baseOf: (request: Context['req']) => Base
  /** What proves a site's host of the Web API. */
  readonly findHostProof: (host: string) => string | undefined
  /** The authorization endpoint's base address for the documentation; undefined if not configured. */
  readonly auth_url: string | undefined
  readonly identifyCaller: IdentifyCaller
  /** The caller of a request whose only key is in its `Authorization` header, if it was checked before. */
  readonly findChecked: (request: Context['req']) => CheckedCaller | undefined
  /** Whether a text is an API key of this installation, valid or not. */
  readonly isOwnKey: (text: string) => boolean
  readonly limitRate: RateLimitCheck
  readonly slots: Pick<RequestSlots, 'take'>
  /** Whether the API key that identified a site is still valid. */
  readonly isSiteKnown: (site: SiteEntry) => boolean
  readonly isStopping: () => boolean
  readonly runIdempotent: RunIdempotent
  readonly deps: OperationDeps
  /** Counts each completed request. */
  readonly onResponse: OnResponse
  readonly logger: Logger
  readonly registry: Registry
  readonly trustTraceparent?: boolean
}

/** The Web API. Checks run in the order of the lines; the first failed check determines the error. */
export function createGateway(options: GatewayOptions): App {
  const {
    baseOf,
    auth_url,
    identifyCaller,
    findChecked,
    isOwnKey,
    limitRate,
    slots,
    isSiteKnown,
    isStopping,
    runIdempotent,
    deps,
    onResponse,
    logger,
    registry,
    trustTraceparent = false,
    findHostProof,
  } = options
  const { names, webApiUrl } = deps
  const findOperation = createOperationFinder(deps)
  const { sendFault, handleFaults } = createEnvelope(webApiUrl)
  /** Koa's 4xx errors are malformed requests; any other error is a defect, which `createApp` logs. */
  const renderFailure = (ctx: Context, status: number) =>
    sendFault(ctx, status < 500 ? 'invalid_parameter' : 'operation_failed')
  const app = createApp({
    logger,
    registry,
    headers: dataHeaders,
    trustTraceparent,
    renderFailure,
    onResponse,
  })
  app.use(createHostProofRoute(findHostProof))
  app.use(createDescriptionRoutes({ operations, names, webApiUrl, auth_url }))
  app.use(handleFaults)
  /** Checks keys in headers and query before it reads the body, so that unknown callers cannot keep a connection open. */
  const identifyAndReadForm = async (ctx: Context, query: string) => {
    const caller = findChecked(ctx.req)
    if (caller !== undefined) return { site: await identifyCaller.byCheck(ctx, caller), form: '' }
    const keys = findApiKeys(ctx.req, query, '', isOwnKey)
    const site = keys.length > 0 ? await identifyCaller.byKeys(ctx, keys) : undefined
    const form = await readPostForm(ctx.req)
    const text = typeof form === 'string' ? form : ''
    if (site !== undefined && parseKeys(text).length === 0) return { site, form }
    const faultWithoutKey = isNotForm(form) ? 'body_not_a_form' : 'invalid_api_key'
    const allKeys = findApiKeys(ctx.req, query, text, isOwnKey)
    return { site: await identifyCaller.byKeys(ctx, allKeys, faultWithoutKey), form }
  }
  app.use(async (ctx) => {
    const operation = findOperation(ctx)
    const query = getQuery(ctx.req)
    const { site, form } = await identifyAndReadForm(ctx, query)
    const { moved_to } = site
    if (typeof moved_to === 'string') return forwardRequest(ctx, moved_to, typeof form === 'string' ? form : undefined)
    // After the body, for which a slow caller would keep the slot.
    using slot = holdSlot(slots)
    await limitRate(ctx, site)
    const parameters = mergeParameters(query, form)
    const writes = isWriteRequest(operation, parameters)
    // Checked before the parameters: a browser must not send this request at all.
    if (writes && isFromBrowser(ctx.req.headers)) throw new Fault('server_call_only')
    if (parameters instanceof MalformedParameters) {
      const fault = isNotForm(parameters) ? 'body_not_a_form' : 'invalid_parameter'
      throw new Fault(fault, { detail: { reason: parameters.malformation } })
    }
    ctx.state.unknown_parameters = operation.unknownParameters(parameters, names)
    const respond = operation.prepare(parameters, names)
    const idempotent = writes ? readIdempotencyKey(ctx.req, operation.name, parameters) : undefined

    const base = baseOf(ctx.req)
    const maxAgeMs = operation.mayBeStale && site.users_may_be_stale ? (readMaxAge(ctx) ?? staleResponseMs) : undefined
    const call = newCall({ request_id: ctx.state.request_id, maxAgeMs })
    const [keyInQuery] = parseKeys(query)
    const lastEventId = ctx.get('Last-Event-ID') || undefined
    const waiting = createWaiting(ctx, slot, () => isSiteKnown(site) && !isStopping())
    const caller = {
      site,
      call,
      baseUrl: base.url,
      isOnOwnHost: base.site === site.site,
      keyInQuery,
      lastEventId,
      waiting,
    }
    const work = (command: RequestCommand) => respond(deps, { ...caller, ...command })
    const response = idempotent
      ? await runIdempotent({ site: site.site, ...idempotent }, call, work)
      : await work({ command: randomUUID(), repeated: false })
    setAge(ctx, call.staleness?.ageMs)
    if (response instanceof StreamedResponse) sendStream(ctx, response)
    else sendOk(ctx, response)
  })
  return app
}

/** The operations by path. */
export function mapOperationPaths(names: OperationDeps['names']): ReadonlyMap<string, Operation> {
  return new Map(
    operations.flatMap((operation) =>
      resourcesOf(operation, names).map((resource): [string, Operation] => [`/api/${resource}`, operation]),
    ),
  )
}

/** Finds the operation of a path. An unknown path (404/1008) and a wrong method (405) are reported even without a key. */
function createOperationFinder({ names }: OperationDeps): (ctx: Context) => Operation {
  const operationsByPath = mapOperationPaths(names)
  return (ctx) => {
    const operation = operationsByPath.get(getPath(ctx.req))
    if (operation === undefined) throw new Fault('unknown_operation')
    ctx.state.route = operation.name
    if (ctx.method === 'GET' || ctx.method === 'POST') return operation
    ctx.set('Allow', 'GET, POST')
    throw new Fault('method_not_allowed')
  }
}

function isNotForm(read: unknown): boolean {
  return read instanceof MalformedParameters && read.malformation === 'not_a_form'
}

function isWriteRequest({ writes }: Operation, given: Parameters | MalformedParameters): boolean {
  if (typeof writes === 'boolean') return writes
  return !(given instanceof MalformedParameters) && isFlagSet(writes, given)
}
