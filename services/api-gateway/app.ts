import type { Registry } from 'prom-client'
import { newCall } from '#bus'
import { Fault } from '#contracts'
import { type App, type Context, createApp, dataHeaders, type Parameters } from '#http'
import type { Logger } from '#runtime'
import { createDescription } from './description/routes.ts'
import { keysIn } from './http/api-key.ts'
import { isBrowsing } from './http/browser.ts'
import type { Recognize } from './http/callers.ts'
import { countAnswers } from './http/count-answers.ts'
import { answerFault, answerOk, envelope } from './http/envelope.ts'
import type { RateLimit } from './http/rate-limit.ts'
import { readRepeatable } from './http/repeatable.ts'
import { readAsParameters, readSent } from './http/sent.ts'
import type { Once } from './once.ts'
import { type Operation, type OperationDeps, resourcesOf } from './operation.ts'
import { operations } from './operations/index.ts'
import { isRaised } from './parameters/flag.ts'
import { type Count, countAnswered } from './usage/answered.ts'

export interface GatewayParts {
  readonly recognize: Recognize
  readonly limitRate: RateLimit
  readonly once: Once
  readonly deps: OperationDeps
  /** Told what became of each request. */
  readonly count: Count
  readonly logger: Logger
  readonly registry: Registry
  readonly trust_traceparent?: boolean
}

/** The Web API. The order of the lines is the order of the checks; the first that refuses is the one error told. */
export function createGateway(parts: GatewayParts): App {
  const { recognize, limitRate, once, deps, count, logger, registry, trust_traceparent = false } = parts
  const { names, web_api_url } = deps
  const choose = createChoice(deps)
  const countAnswer = countAnswers(registry)
  const countUsage = countAnswered(count)
  const answered = (ctx: Context, duration_ms: number) => {
    countAnswer(ctx)
    countUsage(ctx, duration_ms)
  }
  const app = createApp({ logger, registry, headers: dataHeaders, trust_traceparent, renderFailure, answered })
  app.use(createDescription({ operations, names, web_api_url }))
  app.use(envelope)
  app.use(async (ctx) => {
    const operation = choose(ctx)
    const sent = await readSent(ctx.req)
    const site = await recognize(ctx, sent)
    await limitRate(ctx, site)
    const given = await readAsParameters(sent)
    const writes = changesSomething(operation, given)
    // Before the parameters are judged: whatever they are, nobody meant to send them.
    if (writes && isBrowsing(ctx.req.headers)) throw new Fault('server_call_only')
    if (given === undefined) throw new Fault('invalid_parameter')
    const respond = operation.prepare(given, names)
    const repeatable = writes ? readRepeatable(ctx.req, operation.name, given) : undefined

    const call = newCall({ request_id: ctx.state.request_id })
    const [key_in_query] = keysIn(sent.query)
    const work = (command?: string) => respond(deps, { site, call, key_in_query, command })
    answerOk(ctx, repeatable ? await once({ site: site.site, ...repeatable }, call, work) : await work())
  })
  return app
}

/** Tells the operation of exactly the path. An unknown one (404/7) and a wrong method (405) are told without asking for a key. */
function createChoice({ names }: OperationDeps): (ctx: Context) => Operation {
  const places = new Map(
    operations.flatMap((operation) =>
      resourcesOf(operation, names).map((resource): [string, Operation] => [`/api/${resource}`, operation]),
    ),
  )
  return (ctx) => {
    const [path = ''] = (ctx.req.url ?? '').split('?', 1)
    const operation = places.get(path)
    if (operation === undefined) throw new Fault('entity_not_found')
    ctx.state.route = operation.name
    if (ctx.method === 'GET' || ctx.method === 'POST') return operation
    ctx.set('Allow', 'GET, POST')
    throw new Fault('method_not_allowed')
  }
}

function changesSomething({ writes }: Operation, given: Parameters | undefined): boolean {
  if (typeof writes === 'boolean') return writes
  return given !== undefined && isRaised(writes, given)
}

/** Koa's 4xx are about requests that cannot be read; anything else is a defect, logged by the app's outermost layer. */
function renderFailure(ctx: Context, status: number): void {
  answerFault(ctx, status < 500 ? 'invalid_parameter' : 'operation_failed')
}
