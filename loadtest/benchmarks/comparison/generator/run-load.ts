import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { LoadResult, LoadShape } from './protocol.ts'
import { createRecorder, type Recorder } from './recorder.ts'

type Shape = z.output<typeof LoadShape>

const dispatchIntervalMs = 1
/** More requests than this that wait for a connection: the rate is above the capacity. */
const queueLimit = 5_000

/** Sends one request after another, or repeats another unit of work. */
export interface Sender {
  /** Returns the operation that was sent. Rejects if a response is not the expected one. */
  readonly sendNext: () => Promise<string>
  readonly close: () => Promise<void>
}

/** @param n number of the sender */
export type CreateSender = (shape: Shape, n: number) => Sender

/** Sends requests as the shape says. @throws at the first response that is not the expected one */
export async function runLoad(createSender: CreateSender, shape: Shape, onCounting: () => void): Promise<LoadResult> {
  const recorder = createRecorder(onCounting)
  const stopped = { value: false }
  const timing = async () => {
    await delay(shape.lead_ms)
    recorder.start()
    await delay(shape.duration_ms)
    stopped.value = true
  }
  const senders = Array.from({ length: shape.in_flight }, (_, n) => createSender(shape, n))
  const sending =
    shape.rate === undefined
      ? sendInLoop(senders, recorder, stopped)
      : sendAtRate(senders, shape.rate, recorder, stopped)
  try {
    await Promise.all([timing(), sending])
    return recorder.finish()
  } finally {
    stopped.value = true
    await Promise.all(senders.map((sender) => sender.close()))
  }
}

interface Stopped {
  readonly value: boolean
}

/** Each sender sends its next request when the last one has its response. */
async function sendInLoop(senders: readonly Sender[], recorder: Recorder, stopped: Stopped): Promise<void> {
  const loop = async (sender: Sender) => {
    while (!stopped.value) {
      const beganAt = performance.now()
      recorder.record(beganAt, await sender.sendNext())
    }
  }
  await Promise.all(senders.map(loop))
}

/** Durations begin when a request was due, so that waiting for a free connection counts. */
async function sendAtRate(
  senders: readonly Sender[],
  rate: number,
  recorder: Recorder,
  stopped: Stopped,
): Promise<void> {
  const free = [...senders]
  const due: number[] = []
  const sending = new Set<Promise<void>>()
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {}) // It is raced below.
  const begin = (sender: Sender, dueAt: number) => {
    const one = sender
      .sendNext()
      .then((operation) => {
        recorder.record(dueAt, operation)
        sending.delete(one)
        const next = due.shift()
        if (next === undefined) free.push(sender)
        else begin(sender, next)
      })
      .catch(failure.reject)
    sending.add(one)
  }
  const intervalMs = 1_000 / rate
  for (let nextAt = performance.now(); !stopped.value; ) {
    for (; nextAt <= performance.now(); nextAt += intervalMs) {
      const sender = free.pop()
      if (sender === undefined) due.push(nextAt)
      else begin(sender, nextAt)
    }
    if (due.length > queueLimit) throw new Error(`${rate.toFixed(0)} requests per second are above the capacity.`)
    await Promise.race([delay(dispatchIntervalMs), failure.promise])
  }
  while (sending.size > 0) await Promise.race([Promise.all(sending), failure.promise])
}
