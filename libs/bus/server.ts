import type { Msg } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { type Contract, Fault, type Input, type Output, type Procedure } from '#contracts'
import { createGauge, inSpan, type Logger, type TraceSpan } from '#runtime'
import { type Call, newCall } from './call.ts'
import type { Bus } from './connect.ts'
import { header, replyHeaders, spanOf, subjectOf } from './messages.ts'
import { createMeasure } from './metrics.ts'

/** Answers one procedure. It may throw the faults its contract declares; anything else is a defect. */
export type Handler<P extends Procedure, D> = (input: Input<P>, deps: D, call: Call) => Promise<Output<P>>

export type Handlers<C extends Contract, D> = { readonly [K in keyof C['procedures']]: Handler<C['procedures'][K], D> }

/**
 * Answers a contract's procedures, sharing the work with the service's other replicas. Question and answer are parsed here:
 * nothing malformed comes in, nothing undeclared goes out. Disposing stops taking questions and awaits those taken.
 */
export function serveContract<C extends Contract, D>(
  bus: Bus,
  contract: C,
  handlers: Handlers<C, D>,
  deps: D,
  { logger, registry }: { logger: Logger; registry: Registry },
): AsyncDisposable {
  const measure = createMeasure(registry, 'server', contract.service)
  const inFlight = new Set<Promise<void>>()
  createGauge(registry, 'sociallogin_rpc_server_inflight', (gauge) => gauge.set(inFlight.size))

  const answer = async (
    message: Msg,
    name: string,
    procedure: Procedure,
    handler: Handler<Procedure, D>,
    span: TraceSpan,
  ) => {
    const subject = subjectOf(contract.service, name)
    const beganAt = performance.now()
    const call = callOf(message)
    const failure: unknown = await work(message, procedure, handler, call).then(
      (output) => {
        message.respond(JSON.stringify(output))
        return undefined
      },
      (error: unknown) => {
        if (error instanceof Fault && (error.fault === 'unavailable' || procedure.faults.includes(error.fault))) {
          message.respond(JSON.stringify(error.fields), { headers: replyHeaders('fault', error.fault) })
          return error
        }
        logger.error({ error, procedure: subject, request_id: call.request_id }, 'defect')
        message.respond('', { headers: replyHeaders('defect', '1') })
        return new Error('defect', { cause: error })
      },
    )
    if (failure !== undefined) span.set({ outcome: failure instanceof Fault ? failure.fault : 'defect' })
    if (failure !== undefined && !(failure instanceof Fault)) span.fail('defect')
    measure(name, failure, beganAt)
  }
  const work = async (message: Msg, procedure: Procedure, handler: Handler<Procedure, D>, call: Call) =>
    procedure.output.parse(await handler(procedure.input.parse(message.json()), deps, call))

  const subscriptions = Object.entries(contract.procedures).map(([name, procedure]) => {
    const subject = subjectOf(contract.service, name)
    // The mapped type guarantees a handler of this very procedure under this name.
    const handler = handlers[name] as Handler<Procedure, D>
    return bus.connection.subscribe(subject, {
      queue: contract.service,
      callback(error, message) {
        if (error) return logger.error({ error, procedure: subject }, 'subscription failed')
        if (isExpired(message)) return
        const from = (field: string) => message.headers?.get(field)
        const answering = inSpan({ ...spanOf(subject, 'process'), from }, (span) =>
          answer(message, name, procedure, handler, span),
        )
          // Only answering itself can fail here: the connection was closed under it.
          .catch((error: unknown) => logger.warn({ error, procedure: subject }, 'answer not delivered'))
          .finally(() => inFlight.delete(answering))
        inFlight.add(answering)
      },
    })
  })

  return {
    async [Symbol.asyncDispose]() {
      const open = bus.connected() ? subscriptions.filter((subscription) => !subscription.isClosed()) : []
      await Promise.all(open.map((subscription) => subscription.drain()))
      await Promise.all(inFlight)
      if (bus.connected()) await bus.connection.flush()
    },
  }
}

/** Nobody waits for the answer any more, so the work is not begun. */
function isExpired(message: Msg): boolean {
  return message.headers?.get(header.remaining_ms) === '0'
}

function callOf(message: Msg): Call {
  const remaining = Number(message.headers?.get(header.remaining_ms))
  const requestId = message.headers?.get(header.request_id)
  return newCall({
    ...(requestId ? { request_id: requestId } : {}),
    ...(Number.isFinite(remaining) && remaining > 0 ? { withinMs: remaining } : {}),
  })
}
