import type { Registry } from 'prom-client'
import { newCall } from '#bus'
import { Fault } from '#contracts'
import { type App, type Context, createApp, dataHeaders, MalformedParameters, type Parameters } from '#http'
import type { Logger } from '#runtime'
import { createDescription } from './description/routes.ts'
import { keysIn, namedKeys } from './http/api-key.ts'
import type { Base } from './http/base.ts'
import { isFromBrowser } from './http/browser.ts'
import type { Recognize } from './http/callers.ts'
import { countAnswers } from './http/count-answers.ts'
import { answerOk, createEnvelope } from './http/envelope.ts'
import type { RateLimit } from './http/rate-limit.ts'
import { readRepeatable } from './http/repeatable.ts'
import { queryOf, readAsParameters, readForm } from './http/sent.ts'
import type { Once } from './once.ts'
import { type Operation, type OperationDeps, resourcesOf } from './operation.ts'
import { operations } from './operations/index.ts'
import { isRaised } from './parameters/flag.ts'
import { type Count, countAnswered } from './usage/answered.ts'

export interface GatewayParts {
  readonly baseOf: (request: Context['req']) => Base
  /** The authorization endpoint's base address for the documentation; undefined if not configured. */
  readonly auth_url: string | undefined
  readonly recognize: Recognize
  readonly limitRate: RateLimit
  readonly once: Once
  readonly deps: OperationDeps
  /** Told what became of each request. */
  readonly count: Count
  readonly logger: Logger
  readonly registry: Registry
  readonly trustTraceparent?: boolean
}

/** The Web API. The order of the lines is the order of the checks; the first that refuses is the one error told. */
export function createGateway(parts: GatewayParts): App {
  const {
    baseOf,
    auth_url,
    recognize,
    limitRate,
    once,
    deps,
    count,
    logger,
    registry,
    trustTraceparent = false,
  } = parts
  const { names, webApiUrl } = deps
  const choose = createChoice(deps)
  const countAnswer = countAnswers(registry)
  const countUsage = countAnswered(count)
  const answered = (ctx: Context, durationMs: number) => {
    countAnswer(ctx)
    countUsage(ctx, durationMs)
  }
  const { answerFault, answerFaults } = createEnvelope(webApiUrl)
  /** Koa's 4xx are about requests that cannot be read; anything else is a defect, logged by the app's outermost layer. */
  const renderFailure = (ctx: Context, status: number) =>
    answerFault(ctx, status < 500 ? 'invalid_parameter' : 'operation_failed')
  const app = createApp({
    logger,
    registry,
    headers: dataHeaders,
    trustTraceparent,
    renderFailure,
    answered,
  })
  app.use(createDescription({ operations, names, webApiUrl, auth_url }))
  app.use(answerFaults)
  /** Checks a key in a header or the query before it reads the body: an unknown caller cannot make us wait for one. */
  const recognizeAndRead = async (ctx: Context, query: string) => {
    const keys = namedKeys(ctx.req, query)
    const site = keys.length > 0 ? await recognize(ctx, keys) : undefined
    const form = await readForm(ctx.req)
    const text = typeof form === 'string' ? form : ''
    if (site !== undefined && keysIn(text).length === 0) return { site, form }
    const withoutKey = isNoForm(form) ? 'body_not_a_form' : 'invalid_api_key'
    return { site: await recognize(ctx, namedKeys(ctx.req, query, text), withoutKey), form }
  }
  app.use(async (ctx) => {
    const operation = choose(ctx)
    const query = queryOf(ctx.req)
    const { site, form } = await recognizeAndRead(ctx, query)
    await limitRate(ctx, site)
    const given = readAsParameters(query, form)
    const writes = changesSomething(operation, given)
    // Before the parameters are judged: whatever they are, nobody meant to send them.
    if (writes && isFromBrowser(ctx.req.headers)) throw new Fault('server_call_only')
    if (given instanceof MalformedParameters) {
      const fault = isNoForm(given) ? 'body_not_a_form' : 'invalid_parameter'
      throw new Fault(fault, { detail: { reason: given.malformation } })
    }
    ctx.state.unknown_parameters = operation.unknownParameters(given, names)
    const respond = operation.prepare(given, names)
    const repeatable = writes ? readRepeatable(ctx.req, operation.name, given) : undefined

    const { url: baseUrl } = baseOf(ctx.req)
    const call = newCall({ request_id: ctx.state.request_id })
    const [keyInQuery] = keysIn(query)
    const work = (command?: string) => respond(deps, { site, call, baseUrl, keyInQuery, command })
    answerOk(ctx, repeatable ? await once({ site: site.site, ...repeatable }, call, work) : await work())
  })
  return app
}

/** Finds the operation of exactly the path. An unknown path (404/1008) and a wrong method (405) are reported without a key. */
function createChoice({ names }: OperationDeps): (ctx: Context) => Operation {
  const places = new Map(
    operations.flatMap((operation) =>
      resourcesOf(operation, names).map((resource): [string, Operation] => [`/api/${resource}`, operation]),
    ),
  )
  return (ctx) => {
    const [path = ''] = (ctx.req.url ?? '').split('?', 1)
    const operation = places.get(path)
    if (operation === undefined) throw new Fault('unknown_operation')
    ctx.state.route = operation.name
    if (ctx.method === 'GET' || ctx.method === 'POST') return operation
    ctx.set('Allow', 'GET, POST')
    throw new Fault('method_not_allowed')
  }
}

function isNoForm(read: unknown): boolean {
  return read instanceof MalformedParameters && read.malformation === 'not_a_form'
}

function changesSomething({ writes }: Operation, given: Parameters | MalformedParameters): boolean {
  if (typeof writes === 'boolean') return writes
  return !(given instanceof MalformedParameters) && isRaised(writes, given)
}
