import { setTimeout as delay } from 'node:timers/promises'
import { errors } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import type { z } from 'zod'
import { type Contract, Fault, type Procedure } from '#contracts'
import { inSpan } from '#runtime'
import { type Call, remainingMs } from './call.ts'
import type { Bus } from './connect.ts'
import { DisconnectedError, UnavailableReplicaError } from './errors.ts'
import { callLocally } from './local-services.ts'
import { type CallOutcome, describeSpan, subjectOf } from './messages.ts'
import { createCallRecorder } from './metrics.ts'
import { createRepeatableCaller } from './second-attempt.ts'

/** One function for each procedure of a contract. Inputs have the type before parsing. */
export type BusClient<C extends Contract> = {
  readonly [K in keyof C['procedures']]: (
    input: z.input<C['procedures'][K]['input']>,
    call: Call,
  ) => Promise<z.output<C['procedures'][K]['output']>>
}

/** The called service had an unexpected error. Its log has the cause. */
export class RemoteDefect extends Error {
  override readonly name = 'RemoteDefect'
  constructor(subject: string) {
    super(`${subject} failed unexpectedly.`)
  }
}

/** Whether an error means that no replica received the request, so that nothing was done. */
export function isUndelivered(error: unknown): boolean {
  return error instanceof Fault && error.fault === 'unavailable' && error.cause instanceof errors.NoRespondersError
}

/**
 * Creates the client of a contract. Every procedure throws a declared `Fault`, `Fault('unavailable')` without a response in
 * time (a write may or may not have happened), or `RemoteDefect`. Repeatable procedures are tried again after a lost connection,
 * and at another replica if the first does not answer. A service of the same process is called directly.
 */
export function createClient<C extends Contract>(bus: Bus, contract: C, registry: Registry): BusClient<C> {
  const recordCall = createCallRecorder(registry, 'client', contract.service)
  const callRepeatable = createRepeatableCaller(bus, contract.service, registry)
  const createProcedure = (name: string, procedure: Procedure) => {
    const repeatable = procedure.repeatable === true
    const subject = subjectOf(contract.service, name)
    const attempt = (payload: string, call: Call) => {
      const send = (to: string) => requestOnce(bus, to, payload, call)
      return repeatable ? callRepeatable(name, send, call) : send(subject)
    }
    const description = describeSpan(subject, 'request')
    const withoutStaleness = ({ request_id, deadlineAt }: Call): Call => ({ request_id, deadlineAt })
    return (input: unknown, given: Call) => {
      const call = given.staleness === undefined || procedure.mayBeStale ? given : withoutStaleness(given)
      return inSpan(description, async (span) => {
        const startedAt = performance.now()
        try {
          const serve = bus.localServices?.find(contract.service)
          const output = serve
            ? toOutput(await callLocally(serve, name, input, call), subject, call)
            : await request(bus, (payload) => attempt(payload, call), input, call, repeatable)
          recordCall(name, undefined, startedAt)
          return output
        } catch (error) {
          span.set({ outcome: error instanceof Fault ? error.fault : 'defect' })
          recordCall(name, error, startedAt)
          throw error
        }
      })
    }
  }
  const functions = Object.entries(contract.procedures).map(([name, procedure]) => [
    name,
    createProcedure(name, procedure),
  ])
  // The names come from the contract itself, and the server parses the output.
  return Object.fromEntries(functions) as BusClient<C>
}

/** Pauses between retries without a responder, for example while the only replica of a service is replaced. */
const noResponderPausesMs = [25, 50, 100, 200, 400]
/** How long a request waits for a reconnection. */
const reconnectWaitMs = 2_000

async function request(
  bus: Bus,
  attempt: (payload: string) => Promise<unknown>,
  input: unknown,
  call: Call,
  repeatable: boolean,
): Promise<unknown> {
  const payload = JSON.stringify(input)
  let cause: Error | undefined
  for (const pauseMs of [...noResponderPausesMs, undefined]) {
    if (!(await bus.whenConnected(Math.min(remainingMs(call), reconnectWaitMs)))) break
    if (remainingMs(call) === 0) break
    try {
      return await attempt(payload)
    } catch (error) {
      if (repeatable && isDisconnection(error)) continue
      if (!(error instanceof errors.NoRespondersError)) throw error
      cause = error
      if (pauseMs === undefined) break
      await delay(Math.min(pauseMs, remainingMs(call)))
    }
  }
  throw new Fault('unavailable', { cause: cause ?? new DisconnectedError() })
}

function isDisconnection(error: unknown): boolean {
  return error instanceof Fault && error.cause instanceof DisconnectedError
}

/** Sends the request once. */
async function requestOnce(bus: Bus, subject: string, payload: string, call: Call): Promise<unknown> {
  return toOutput(await bus.sendRequest(subject, payload, call), subject, call)
}

function toOutput(outcome: CallOutcome, subject: string, { staleness }: Call): unknown {
  if (staleness && outcome.kind === 'output') staleness.ageMs = Math.max(staleness.ageMs, outcome.age_ms ?? 0)
  if (outcome.kind === 'output') return outcome.output
  if (outcome.kind === 'defect') throw new RemoteDefect(subject)
  const { fault, fields, replica } = outcome
  throw new Fault(fault, { fields, ...(replica !== undefined && { cause: new UnavailableReplicaError(replica) }) })
}
