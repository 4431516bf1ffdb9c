import { setTimeout as delay } from 'node:timers/promises'
import { errors } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import type { z } from 'zod'
import { type Contract, Fault, isFaultName } from '#contracts'
import { inSpan } from '#runtime'
import { type Call, remainingMs } from './call.ts'
import type { Bus } from './connect.ts'
import { callHeaders, header, spanOf, subjectOf } from './messages.ts'
import { createMeasure, Disconnected } from './metrics.ts'

/** A function for each procedure of a contract; what is asked is given as the contract's input has it before parsing. */
export type BusClient<C extends Contract> = {
  readonly [K in keyof C['procedures']]: (
    input: z.input<C['procedures'][K]['input']>,
    call: Call,
  ) => Promise<z.output<C['procedures'][K]['output']>>
}

/** The service that was asked failed in a way nobody expected; its own log says how. */
export class RemoteDefect extends Error {
  constructor(subject: string) {
    super(`${subject} failed unexpectedly.`)
    this.name = 'RemoteDefect'
  }
}

/** Whether an error says that nobody was there to be asked, so that nothing was done. */
export function isUndelivered(error: unknown): boolean {
  return error instanceof Fault && error.fault === 'unavailable' && error.cause instanceof errors.NoRespondersError
}

/**
 * The caller's side of a contract. Every procedure throws a `Fault` as declared, `Fault('unavailable')` when nobody answered
 * in time (then a write may or may not have happened), or `RemoteDefect`.
 */
export function createClient<C extends Contract>(bus: Bus, contract: C, registry: Registry): BusClient<C> {
  const measure = createMeasure(registry, 'client', contract.service)
  const ask = (name: string) => {
    const subject = subjectOf(contract.service, name)
    return (input: unknown, call: Call) =>
      inSpan(spanOf(subject, 'request'), async (span) => {
        const beganAt = performance.now()
        try {
          const answer = await request(bus, subject, input, call)
          measure(name, undefined, beganAt)
          return answer
        } catch (error) {
          span.set({ outcome: error instanceof Fault ? error.fault : 'defect' })
          measure(name, error, beganAt)
          throw error
        }
      })
  }
  const functions = Object.keys(contract.procedures).map((name) => [name, ask(name)])
  // The names come from the contract itself, and the serving side parses what goes out to the contract's output.
  return Object.fromEntries(functions) as BusClient<C>
}

/** Pauses before asking again when nobody listens: a service of a single replica is being replaced. */
const noResponderPausesMs = [25, 50, 100, 200, 400]
/** How long a question waits for a lost connection to come back. */
const reconnectWaitMs = 2_000

async function request(bus: Bus, subject: string, input: unknown, call: Call): Promise<unknown> {
  const payload = JSON.stringify(input)
  let cause: Error = new Disconnected()
  for (const pauseMs of [...noResponderPausesMs, undefined]) {
    if (!(await bus.whenConnected(Math.min(remainingMs(call), reconnectWaitMs)))) break
    const timeout = remainingMs(call)
    if (timeout === 0) break
    try {
      return await once(bus, subject, payload, call, timeout)
    } catch (error) {
      if (!(error instanceof errors.NoRespondersError)) throw error
      cause = error
      if (pauseMs === undefined) break
      await delay(Math.min(pauseMs, remainingMs(call)))
    }
  }
  throw new Fault('unavailable', { cause })
}

/** Asks once; a connection lost meanwhile ends the wait at once. */
async function once(bus: Bus, subject: string, payload: string, call: Call, timeout: number): Promise<unknown> {
  const lost = Promise.withResolvers<never>()
  const forget = bus.onLost(() => lost.reject(new Fault('unavailable', { cause: new Disconnected() })))
  try {
    const reply = bus.connection.request(subject, payload, { timeout, headers: callHeaders(call) })
    // Of the two only the first to settle is waited for.
    for (const promise of [reply, lost.promise]) promise.catch(() => {})
    const message = await Promise.race([reply, lost.promise])
    const fault = message.headers?.get(header.fault)
    if (fault) throw isFaultName(fault) ? new Fault(fault, { fields: message.json() }) : new RemoteDefect(subject)
    if (message.headers?.get(header.defect)) throw new RemoteDefect(subject)
    return message.json()
  } catch (error) {
    if (isNoResponders(error)) throw new errors.NoRespondersError(subject)
    if (error instanceof Fault || error instanceof RemoteDefect) throw error
    throw new Fault('unavailable', { cause: error })
  } finally {
    forget()
  }
}

function isNoResponders(error: unknown): boolean {
  return error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders())
}
