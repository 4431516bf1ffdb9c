import { randomUUID } from 'node:crypto'
import type { Msg } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { type Contract, Fault, type Input, type Output, type Procedure } from '#contracts'
import { createGauge, inSpan, type Logger, type Readiness, type TraceSpan } from '#runtime'
import { createAnswers } from './answers.ts'
import { type Call, newCall } from './call.ts'
import type { Bus } from './connect.ts'
import {
  type Answer,
  type BusRequest,
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

/** Starts the work of a message. @throws if it is malformed */
type Receive = (message: Msg) => void

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

  const answers = createAnswers((error) => logger.warn({ error, service: contract.service }, 'answers not delivered'))

  const runHandler = async (input: unknown, procedure: Procedure, handler: Handler<Procedure, D>, call: Call) =>
    procedure.output.parse(await handler(procedure.input.parse(input), deps, call))
  const toAnswer = (error: unknown, place: number, procedure: Procedure): Answer => {
    if (!(error instanceof Fault) || (error.fault !== 'unavailable' && !procedure.faults.includes(error.fault)))
      return { kind: 'defect', place }
    const by = error.fault === 'unavailable' ? { replica } : {}
    return { kind: 'fault', place, fault: error.fault, fields: [...error.fields], ...by }
  }

  const receivers = new Map(
    Object.entries(contract.procedures).map(([name, procedure]) => {
      const subject = subjectOf(contract.service, name)
      const description = describeSpan(subject, 'process')
      // The mapped type guarantees that this name has the handler of this procedure.
      const handler = handlers[name] as Handler<Procedure, D>
      const serve = async (message: Msg, place: number, input: unknown, call: Call, span: TraceSpan) => {
        const startedAt = performance.now()
        try {
          const output = await runHandler(input, procedure, handler, call)
          answers.add(message, { kind: 'output', place, output })
          recordCall(name, undefined, startedAt)
        } catch (error) {
          const answer = toAnswer(error, place, procedure)
          answers.add(message, answer)
          span.set({ outcome: answer.kind === 'fault' ? answer.fault : 'defect' })
          if (answer.kind === 'defect') {
            logger.error({ error, procedure: subject, request_id: call.request_id }, 'defect')
            span.fail('defect')
          }
          recordCall(name, answer.kind === 'fault' ? error : new Error('defect', { cause: error }), startedAt)
        }
      }
      const receive: Receive = (message) => {
        for (const [place, { request_id, remaining_ms, trace, input }] of readRequests(message)) {
          // The caller no longer waits for the answer, so the work is not started.
          if (remaining_ms === 0) continue
          const call = newCall({ request_id, withinMs: remaining_ms })
          const from = (field: string) => trace?.[field]
          const serving = inSpan({ ...description, from }, (span) => serve(message, place, input, call, span)).finally(
            () => inFlight.delete(serving),
          )
          inFlight.set(serving, request_id)
        }
      }
      return [name, receive]
    }),
  )
  const { service } = contract
  const subscribe = (subject: string, receive: Receive, options: { queue?: string } = {}) =>
    bus.connection.subscribe(subject, {
      ...options,
      callback(error, message) {
        if (error) return logger.error({ error, subject }, 'subscription failed')
        try {
          receive(message)
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
    subscribe(subjectAt(service, replica, '*'), (message) =>
      receivers.get(message.subject.split('.').at(-1) ?? '')?.(message),
    ),
    ...[...receivers].map(([name, receive]) => subscribe(subjectOf(service, name), receive, { queue: service })),
  ]

  return {
    async [Symbol.asyncDispose]() {
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
