import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Attempt, repeatUntilDefinite } from '../client.ts'
import type { FaultPoint } from '../proxy/counting-proxy.ts'
import type { Unit } from '../proxy/wire-protocol.ts'
import type { FaultSite } from '../site.ts'
import type { FaultStack, Member } from '../stack.ts'

/** An operation whose participants meet faults. */
export interface FaultOperation {
  readonly name: string
  /** The services that take part in it. */
  readonly participants: readonly string[]
  /** Whether each case must end before the next begins: they change the same records, or a fault would also meet earlier cases. */
  readonly exclusive?: boolean
  /**
   * After which time the product itself may work on an interrupted request, so that a fault would meet it a second time: no fault is
   * armed while a case that is older has not ended. Default: never.
   */
  readonly resumedAfterMs?: number
  /** @param tag unique text, for every name of the case */
  readonly prepare: (site: FaultSite, tag: string) => Promise<PreparedRequest>
}

export interface PreparedRequest {
  /** Identifiers of the prepared users. */
  readonly users: readonly string[]
  readonly attempt: Attempt
  /** Sends the request again after its definite answer, if that has no further effect. */
  readonly repeat?: Attempt
  /** Finds the users that an answer names. */
  readonly findUsers: (answer: Answer) => Promise<readonly string[]>
  /** Replaces what may differ from an undisturbed request in answers and state, such as new tokens. */
  readonly mask?: (text: string) => string
}

export interface Fault {
  readonly participant: Member
  readonly action: 'kill' | 'cut'
  readonly point: FaultPoint
}

/** A request that met a fault, or none. */
export interface FaultCase {
  readonly operation: string
  readonly fault: Fault | undefined
  /** The unit at which the fault happened; undefined if it was not reached. */
  readonly unit: Unit | undefined
  readonly tag: string
  readonly request: PreparedRequest
  readonly outcome: Promise<Outcome>
}

export interface Outcome {
  /** Undefined if there was no definite answer within `answerWithinMs`. */
  readonly answer: Answer | undefined
  readonly ms: number
}

/** How long a client repeats its request, without the time in which other faults are armed or processes start again. */
export const answerWithinMs = 30_000

const mostPreparations = 50
const preparationPauseMs = 200

/** Runs cases whose faults do not meet the requests of other cases: while a fault is armed, no other request is sent. */
export function createCaseRunner(stack: FaultStack, site: FaultSite) {
  const inFlight = new Set<Promise<unknown>>()
  /** When the cases began that have no definite answer yet. */
  const unfinished = new Map<Promise<Outcome>, number>()
  let armed = Promise.resolve()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => inFlight.delete(tracked))
    inFlight.add(tracked)
    return tracked
  }

  const whenReady = async () => {
    for (const member of stack.members.values()) await member.ready()
  }
  /** Resolves when no fault is armed and every process serves, so that what a case can do in its time does not depend on the machine. */
  const whenAllowed = async () => {
    for (let awaited: Promise<void> | undefined; awaited !== armed; ) {
      awaited = armed
      await awaited
      await whenReady()
    }
  }

  return async (operation: FaultOperation, fault: Fault | undefined): Promise<FaultCase> => {
    await whenReady()
    const { tag, request } = await prepare(operation)
    await endOlderThan(operation.resumedAfterMs)
    const disarmed = Promise.withResolvers<void>()
    armed = disarmed.promise
    await Promise.allSettled(inFlight)
    const startedAt = performance.now()
    using handle = fault && arm(fault)
    // Not tracked: after its fault, it only waits for an answer that does not come.
    const first = request.attempt()
    await Promise.race([first, ...(handle ? [handle.fired] : [])])
    disarmed.resolve()
    const repeats = async (): Promise<Outcome> => {
      const answer =
        (await first) ?? (await repeatUntilDefinite(request.attempt, { withinMs: answerWithinMs, whenAllowed, track }))
      return { answer, ms: performance.now() - startedAt }
    }
    const outcome = repeats()
    unfinished.set(outcome, startedAt)
    const end = () => unfinished.delete(outcome)
    void outcome.then(end, end)
    return { operation: operation.name, fault, unit: handle?.unit(), tag, request, outcome }
  }

  /** If a case is older, waits until all cases have ended: those that follow it would be as old soon. */
  async function endOlderThan(ms = Number.POSITIVE_INFINITY): Promise<void> {
    if (Math.min(...unfinished.values()) < performance.now() - ms) await Promise.allSettled(unfinished.keys())
  }

  /** Prepares new users; again if a restarted process does not serve yet. */
  async function prepare(operation: FaultOperation, attemptsLeft = mostPreparations) {
    const tag = `f${randomUUID().replaceAll('-', '').slice(0, 16)}`
    try {
      return { tag, request: await operation.prepare(site, tag) }
    } catch (error) {
      if (attemptsLeft === 0) throw error
      await sleep(preparationPauseMs)
      return prepare(operation, attemptsLeft - 1)
    }
  }
}

function arm({ participant, action, point }: Fault) {
  const proxy = point.kind === 'statement' ? participant.database : participant.bus
  if (proxy === undefined) throw new Error(`${participant.name} has no proxy for a ${point.kind}.`)
  return proxy.arm(point, action === 'kill' ? participant.kill : undefined)
}
