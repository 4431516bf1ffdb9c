import { errors } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { Fault } from '#contracts'
import { createCounter } from '#runtime'
import { type Call, newCall, remainingMs } from './call.ts'
import type { Bus } from './connect.ts'
import { UnavailableReplicaError } from './errors.ts'
import { type ReplicaSearch, replicasSubject, subjectAt, subjectOf } from './messages.ts'

// Our choices: a multiple of what calls take under load; NATS disconnects a silent replica after about six seconds.
const firstAttemptMs = 1_000
const findReplicaMs = 500
const preferMs = 6_000
/** Second attempts per call, and how many may be saved up, so that they cannot double the load of a service that is slow. */
const attemptsPerCall = 0.1
const savedAttempts = 500

/** Sends a request to a subject, once. */
type Send = (subject: string) => Promise<unknown>

/** Calls a procedure that may be called twice. */
type CallRepeatable = (name: string, send: Send, call: Call) => Promise<unknown>

/**
 * Creates the way to call repeatable procedures of a service. A replica that was stopped or cut off takes its share of the
 * calls until NATS disconnects it, and one whose database is slow takes its share all the time. So a call that is not answered
 * in a second is tried again at a replica that is known to be available, while the first attempt stays open: the first answer
 * counts. So is a call that a replica answers as unavailable, because it cannot reach its database: at another replica, since it
 * can take two seconds until that one says that it is not ready. The calls of the next seconds go to the replica that answered.
 */
export function createRepeatableCaller(bus: Bus, service: string, registry: Registry): CallRepeatable {
  const secondAttempts = createCounter(registry, 'sociallogin_rpc_second_attempts_total')
  const count = (outcome: string) => secondAttempts.inc({ rpc_service: service, outcome })
  let allowed = savedAttempts
  let preferred: { readonly replica: string; readonly until: number } | undefined

  return async (name, send, call) => {
    allowed = Math.min(savedAttempts, allowed + attemptsPerCall)
    const direct = preferred !== undefined && performance.now() < preferred.until ? preferred.replica : undefined
    const first =
      direct === undefined
        ? send(subjectOf(service, name))
        : send(subjectAt(service, direct, name)).catch((error: unknown) => {
            if (!(error instanceof errors.NoRespondersError)) throw error
            // The replica has ended.
            preferred = undefined
            return send(subjectOf(service, name))
          })
    const isSettled = await settlesWithin(first, Math.min(firstAttemptMs, remainingMs(call) / 2))
    const refusedBy = isSettled ? await findRefusingReplica(first) : undefined
    if (isSettled && refusedBy === undefined) return first

    if (allowed < 1) {
      count('not_allowed')
      return first
    }
    allowed--
    const excluded = [refusedBy, direct].filter((replica) => replica !== undefined)
    const replica = await findReplica(bus, service, { excluded, request_id: call.request_id })
    if (replica === undefined) {
      count('no_replica')
      return first
    }
    const { answer, byFirst } = await firstAnswer(first, send(subjectAt(service, replica, name)))
    count(byFirst ? 'not_needed' : 'answered')
    if (!byFirst) preferred = { replica, until: performance.now() + preferMs }
    return answer
  }
}

/** Whether no replica answered, so that another one may. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof errors.NoRespondersError || (error instanceof Fault && error.fault === 'unavailable')
}

/** The replica that answered that it is unavailable. */
async function findRefusingReplica(first: Promise<unknown>): Promise<string | undefined> {
  const error = await first.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof Fault && error.cause instanceof UnavailableReplicaError ? error.cause.replica : undefined
}

/** The ID of the replica that answers first; undefined if none does in time. */
async function findReplica(bus: Bus, service: string, search: ReplicaSearch): Promise<string | undefined> {
  const call = newCall({ request_id: search.request_id, withinMs: findReplicaMs })
  try {
    const answer = await bus.sendRequest(replicasSubject(service), JSON.stringify(search), call)
    return answer.kind === 'output' ? z.string().parse(answer.output) : undefined
  } catch {
    return undefined
  }
}

function settlesWithin(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs, false)
    const settle = () => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(settle, settle)
  })
}

/** Awaits the first of two attempts that is answered; if none is, throws the error of the first. */
async function firstAnswer(
  first: Promise<unknown>,
  second: Promise<unknown>,
): Promise<{ readonly answer: Promise<unknown>; readonly byFirst: boolean }> {
  const answered = async (answer: Promise<unknown>, byFirst: boolean) => {
    await answer.catch((error: unknown) => {
      if (isUnanswered(error)) throw error
    })
    return { answer, byFirst }
  }
  try {
    return await Promise.any([answered(first, true), answered(second, false)])
  } catch {
    return { answer: first, byFirst: true }
  }
}
