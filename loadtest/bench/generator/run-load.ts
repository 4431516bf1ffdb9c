import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { type LoadConnection, openConnection } from './connection.ts'
import type { LoadGroup, LoadResult, LoadShape } from './protocol.ts'
import { createRecorder, type Recorder } from './recorder.ts'

type Group = z.output<typeof LoadGroup>
type Shape = z.output<typeof LoadShape>

/** One of this many responses has its body checked. */
const bodySample = 20
const dispatchIntervalMs = 1
/** More requests than this that wait for a connection: the rate is above the capacity. */
const queueLimit = 5_000

let nextGroup = 0
let nextAddress = 0

/** Sends requests as the shape says. @throws at the first response that is not the expected one */
export async function runLoad(groups: readonly Group[], shape: Shape, onCounting: () => void): Promise<LoadResult> {
  const recorder = createRecorder(onCounting)
  const stopped = { value: false }
  const timing = async () => {
    await delay(shape.lead_ms)
    recorder.start()
    await delay(shape.duration_ms)
    stopped.value = true
  }
  const senders = Array.from({ length: shape.in_flight }, (_, n) => createSender(groups, shape, n))
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
      await sender.sendNext()
      recorder.record(beganAt)
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
      .then(() => {
        recorder.record(dueAt)
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

interface Sender {
  readonly sendNext: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Sends the requests of one customer after another, each over a new connection. */
function createSender(groups: readonly Group[], shape: Shape, n: number): Sender {
  const { addresses, requests_per_connection, varies_address } = shape
  const address = addresses[n % addresses.length] ?? ''
  let connection: LoadConnection | undefined
  let group: Group = []
  let sent = 0
  return {
    async sendNext() {
      if (connection !== undefined && sent % requests_per_connection === 0) {
        await connection.close()
        connection = undefined
      }
      if (connection === undefined) {
        connection = openConnection(address, varies_address ? takeLocalAddress() : undefined)
        group = groups[nextGroup++ % groups.length] ?? []
      }
      const request = group[sent % group.length]
      if (request === undefined) throw new Error('The customer has no requests.')
      await connection.send(request, sent++ % bodySample === 0)
    },
    async close() {
      await connection?.close()
    },
  }
}

/** The next address of 127.1.0.0 to 127.254.255.255. */
function takeLocalAddress(): string {
  const number = nextAddress++ % (254 << 16)
  return `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
}
