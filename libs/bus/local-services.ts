import { errors } from '@nats-io/transport-node'
import { Fault } from '#contracts'
import { type Call, remainingMs } from './call.ts'
import type { CallOutcome } from './messages.ts'

/** Serves a request of another service of the same process. Never rejects. */
export type ServeLocally = (procedure: string, input: unknown, call: Call) => Promise<CallOutcome>

/** The services that run in this process. They call each other directly, and others over NATS. */
export interface LocalServices {
  /** Adds a service, which others call directly until it is disposed of. */
  readonly add: (service: string, serve: ServeLocally) => Disposable
  /** Undefined if the service does not run in this process. */
  readonly find: (service: string) => ServeLocally | undefined
}

export function createLocalServices(): LocalServices {
  const services = new Map<string, ServeLocally>()
  return {
    add(service, serve) {
      services.set(service, serve)
      return {
        [Symbol.dispose]() {
          if (services.get(service) === serve) services.delete(service)
        },
      }
    },
    find: (service) => services.get(service),
  }
}

/**
 * Calls a service of this process. Input and output are copied as JSON, as over NATS, so that neither side sees changes of the other.
 *
 * @throws Fault `unavailable` without an outcome in time
 */
export async function callLocally(
  serve: ServeLocally,
  procedure: string,
  input: unknown,
  call: Call,
): Promise<CallOutcome> {
  const remaining = remainingMs(call)
  const serving = remaining > 0 ? serve(procedure, copyJson(input), call) : undefined
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Fault('unavailable', { cause: new errors.TimeoutError() }))
    if (serving === undefined) return giveUp()
    const timer = setTimeout(giveUp, remaining)
    serving.then((outcome) => {
      clearTimeout(timer)
      resolve(copyJson(outcome))
    }, reject)
  })
}

function copyJson<T>(value: T): T {
  // Both are JSON by their contract.
  return JSON.parse(JSON.stringify(value)) as T
}
