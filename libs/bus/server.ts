import { randomUUID } from 'node:crypto'
import type { Msg } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { type Contract, Fault, type Input, type Output, type Procedure } from '#contracts'
import { createGauge, inSpan, type Logger, type Readiness, type TraceSpan } from '#runtime'
import { type Call, newCall } from './call.ts'
import type { Bus } from './connect.ts'
import {
  describeSpan,
  header,
  type ReplicaSearch,
  replicasSubject,
  replyHeaders,
  subjectAt,
  subjectOf,
} from './messages.ts'
import { createCallRecorder } from './metrics.ts'

/** Serves one procedure. It may throw the faults that the contract declares; any other error is a defect. */
export type Handler<P extends Procedure, D> = (input: Input<P>, deps: D, call: Call) => Promise<Output<P>>

export type Handlers<C extends Contract, D> = { readonly [K in keyof C['procedures']]: Handler<C['procedures'][K], D> }

interface ServerOptions {
  readonly logger: Logger
  readonly registry: Registry
  /** Second attempts of callers come only to replicas that are ready. */
  readonly readiness?: Pick<Readiness, 'missing'>
}

type Receive = (error: Error | null, message: Msg) => void

/**
 * Serves the procedures of a contract, load-balanced over the service's replicas. Input and output are parsed here: handlers
 * receive valid input, and callers receive declared output. Disposing stops accepting requests and awaits those accepted.
 */
export function serveContract<C extends Contract, D>(
  bus: Bus,
  contract: C,
  handlers: Handlers<C, D>,
  deps: D,
  { logger, registry, readiness }: ServerOptions,
): AsyncDisposable {
  const recordCall = createCallRecorder(registry, 'server', contract.service)
  const replica = randomUUID()
  /** The calls in progress, with the IDs of their requests. */
  const inFlight = new Map<Promise<void>, string>()
  createGauge(registry, 'sociallogin_rpc_server_inflight', (gauge) => gauge.set(inFlight.size))

  const serve = async (
    message: Msg,
    call: Call,
    name: string,
    procedure: Procedure,
    handler: Handler<Procedure, D>,
    span: TraceSpan,
  ) => {
    const subject = subjectOf(contract.service, name)
    const startedAt = performance.now()
    const failure: unknown = await runHandler(message, procedure, handler, call).then(
      (output) => {
        message.respond(JSON.stringify(output))
        return undefined
      },
      (error: unknown) => {
        if (error instanceof Fault && (error.fault === 'unavailable' || procedure.faults.includes(error.fault))) {
          const by = error.fault === 'unavailable' ? replica : undefined
          message.respond(JSON.stringify(error.fields), { headers: replyHeaders('fault', error.fault, by) })
          return error
        }
        logger.error({ error, procedure: subject, request_id: call.request_id }, 'defect')
        message.respond('', { headers: replyHeaders('defect', '1') })
        return new Error('defect', { cause: error })
      },
    )
    if (failure !== undefined) span.set({ outcome: failure instanceof Fault ? failure.fault : 'defect' })
    if (failure !== undefined && !(failure instanceof Fault)) span.fail('defect')
    recordCall(name, failure, startedAt)
  }
  const runHandler = async (message: Msg, procedure: Procedure, handler: Handler<Procedure, D>, call: Call) =>
    procedure.output.parse(await handler(procedure.input.parse(message.json()), deps, call))

  const receivers = new Map(
    Object.entries(contract.procedures).map(([name, procedure]) => {
      const subject = subjectOf(contract.service, name)
      // The mapped type guarantees that this name has the handler of this procedure.
      const handler = handlers[name] as Handler<Procedure, D>
      const receive: Receive = (error, message) => {
        if (error) return logger.error({ error, procedure: subject }, 'subscription failed')
        if (isExpired(message)) return
        const call = readCall(message)
        const from = (field: string) => message.headers?.get(field)
        const serving = inSpan({ ...describeSpan(subject, 'process'), from }, (span) =>
          serve(message, call, name, procedure, handler, span),
        )
          // Only the reply can fail here, when the connection was closed.
          .catch((error: unknown) => logger.warn({ error, procedure: subject }, 'reply not delivered'))
          .finally(() => inFlight.delete(serving))
        inFlight.set(serving, call.request_id)
      }
      return [name, receive]
    }),
  )
  const { connection } = bus
  const { service } = contract
  const subscriptions = [
    connection.subscribe(replicasSubject(service), {
      callback: (error, message) => {
        if (error) return
        const { excluded, request_id } = message.json<ReplicaSearch>()
        const isReady = readiness === undefined || readiness.missing().length === 0
        if (
          isReady &&
          !excluded.includes(replica) &&
          !inFlight.values().some((inProgress) => inProgress === request_id)
        )
          message.respond(replica)
      },
    }),
    connection.subscribe(subjectAt(service, replica, '*'), {
      callback: (error, message) => receivers.get(message.subject.split('.').at(-1) ?? '')?.(error, message),
    }),
    ...[...receivers].map(([name, callback]) =>
      connection.subscribe(subjectOf(service, name), { queue: service, callback }),
    ),
  ]

  return {
    async [Symbol.asyncDispose]() {
      const open = bus.connected() ? subscriptions.filter((subscription) => !subscription.isClosed()) : []
      await Promise.all(open.map((subscription) => subscription.drain()))
      await Promise.all(inFlight.keys())
      if (bus.connected()) await bus.connection.flush()
    },
  }
}

/** The caller no longer waits for the reply, so the work is not started. */
function isExpired(message: Msg): boolean {
  return message.headers?.get(header.remaining_ms) === '0'
}

function readCall(message: Msg): Call {
  const remaining = Number(message.headers?.get(header.remaining_ms))
  const requestId = message.headers?.get(header.request_id)
  return newCall({
    ...(requestId ? { request_id: requestId } : {}),
    ...(Number.isFinite(remaining) && remaining > 0 ? { withinMs: remaining } : {}),
  })
}
