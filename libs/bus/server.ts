import { randomUUID } from 'node:crypto'
import type { Msg } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { type Contract, Fault, type Input, type Output, type Procedure } from '#contracts'
import { createGauge, inSpan, type Logger, type Readiness, type TraceSpan } from '#runtime'
import { createAnswers } from './answers.ts'
import { type Call, newCall } from './call.ts'
import type { Bus } from './connect.ts'
import {
  type BusRequest,
  type CallOutcome,
  describeSpan,
  parseMessage,
  ReplicaSearch,
  RequestMessage,
  replicasSubject,
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

/** Serves a request. Never rejects. @param trace headers of the caller's trace, if it is in another process */
type Serve = (input: unknown, call: Call, trace?: Readonly<Record<string, string>>) => Promise<CallOutcome>

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
  const inFlight = new Map<Promise<CallOutcome>, string>()
  createGauge(registry, 'sociallogin_rpc_server_inflight', (gauge) => gauge.set(inFlight.size))

  const answers = createAnswers((error) => logger.warn({ error, service: contract.service }, 'answers not delivered'))

  const runHandler = async (input: unknown, procedure: Procedure, handler: Handler<Procedure, D>, call: Call) =>
    procedure.output.parse(await handler(procedure.input.parse(input), deps, call))
  const toOutcome = (error: unknown, procedure: Procedure): CallOutcome => {
    if (!(error instanceof Fault) || (error.fault !== 'unavailable' && !procedure.faults.includes(error.fault)))
      return { kind: 'defect' }
    const by = error.fault === 'unavailable' ? { replica } : {}
    return { kind: 'fault', fault: error.fault, fields: [...error.fields], ...by }
  }

  const servers = new Map(
    Object.entries(contract.procedures).map(([name, procedure]) => {
      const subject = subjectOf(contract.service, name)
      const description = describeSpan(subject, 'process')
      // The mapped type guarantees that this name has the handler of this procedure.
      const handler = handlers[name] as Handler<Procedure, D>
      const serveInSpan = async (input: unknown, call: Call, span: TraceSpan): Promise<CallOutcome> => {
        const startedAt = performance.now()
        try {
          const output = await runHandler(input, procedure, handler, call)
          recordCall(name, undefined, startedAt)
          const ageMs = Math.ceil(call.staleness?.ageMs ?? 0)
          return { kind: 'output', output, ...(ageMs > 0 && { age_ms: ageMs }) }
        } catch (error) {
          const outcome = toOutcome(error, procedure)
          span.set({ outcome: outcome.kind === 'fault' ? outcome.fault : 'defect' })
          if (outcome.kind === 'defect') {
            logger.error({ error, procedure: subject, request_id: call.request_id }, 'defect')
            span.fail('defect')
          }
          recordCall(name, outcome.kind === 'fault' ? error : new Error('defect', { cause: error }), startedAt)
          return outcome
        }
      }
      const serve: Serve = (input, call, trace) => {
        const from = trace && ((field: string) => trace[field])
        const serving = inSpan({ ...description, from }, (span) => serveInSpan(input, call, span)).finally(() =>
          inFlight.delete(serving),
        )
        inFlight.set(serving, call.request_id)
        return serving
      }
      return [name, serve]
    }),
  )
  /** Starts the work of a message. @throws if it is malformed */
  const receive = (message: Msg, serve: Serve) => {
    for (const [place, { request_id, remaining_ms, trace = {}, input, max_age_ms }] of readRequests(message)) {
      // The caller no longer waits for the answer, so the work is not started.
      if (remaining_ms === 0) continue
      const call = newCall({ request_id, withinMs: remaining_ms, maxAgeMs: max_age_ms })
      void serve(input, call, trace).then((outcome) => answers.add(message, { ...outcome, place }))
    }
  }
  const { service } = contract
  const subscribe = (subject: string, react: (message: Msg) => void, options: { queue?: string } = {}) =>
    bus.connection.subscribe(subject, {
      ...options,
      callback(error, message) {
        if (error) return logger.error({ error, subject }, 'subscription failed')
        try {
          react(message)
        } catch (malformed) {
          logger.error({ error: malformed, subject }, 'malformed message')
        }
      },
    })
  const mayTakeOver = ({ excluded, request_id }: ReplicaSearch) =>
    (readiness === undefined || readiness.missing().length === 0) &&
    !excluded.includes(replica) &&
    !inFlight.values().some((inProgress) => inProgress === request_id)
  const subscriptions = [
    subscribe(replicasSubject(service), (message) => {
      for (const [place, { input }] of readRequests(message))
        if (mayTakeOver(ReplicaSearch.parse(input))) answers.add(message, { kind: 'output', place, output: replica })
    }),
    subscribe(subjectAt(service, replica, '*'), (message) => {
      const serve = servers.get(message.subject.split('.').at(-1) ?? '')
      if (serve) receive(message, serve)
    }),
    ...[...servers].map(([name, serve]) =>
      subscribe(subjectOf(service, name), (message) => receive(message, serve), { queue: service }),
    ),
  ]
  const local = bus.localServices?.add(service, async (procedure, input, call) => {
    const serve = servers.get(procedure)
    return serve ? serve(input, call) : { kind: 'defect' }
  })

  return {
    async [Symbol.asyncDispose]() {
      local?.[Symbol.dispose]()
      const open = bus.connected() ? subscriptions.filter((subscription) => !subscription.isClosed()) : []
      await Promise.all(open.map((subscription) => subscription.drain()))
      await Promise.all(inFlight.keys())
      answers.send()
      if (bus.connected()) await bus.connection.flush()
    },
  }
}

/** The requests of a message, by place. */
function readRequests(message: Msg): Iterable<[number, BusRequest]> {
  return parseMessage(RequestMessage, message).entries()
}
