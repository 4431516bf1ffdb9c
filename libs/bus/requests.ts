import { randomUUID } from 'node:crypto'
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { Fault } from '#contracts'
import { type Logger, traceHeaders } from '#runtime'
import { type Call, remainingMs } from './call.ts'
import { DisconnectedError } from './errors.ts'
import {
  type Answer,
  AnswerMessage,
  type BusRequest,
  fullMessageLength,
  inboxOf,
  parseMessage,
  requestsPerMessage,
} from './messages.ts'

/** The requests of a connection that wait for their answers. */
export interface Requests {
  /**
   * Sends a request, together with the others of this turn of the event loop for the same subject.
   *
   * @param input in JSON
   * @throws NoRespondersError; Fault `unavailable` without an answer in time, or if the connection is lost meanwhile
   */
  readonly send: (subject: string, input: string, call: Call) => Promise<Answer>
  /** Ends all requests, because their answers cannot arrive anymore. */
  readonly disconnect: () => void
}

interface Waiting {
  readonly deadlineAt: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

interface RequestMessage {
  readonly subject: string
  readonly requests: string[]
  /** By place; undefined after the answer. */
  readonly waiting: (Waiting | undefined)[]
  length: number
  unanswered: number
}

/** How often deadlines are checked. Our choice. */
const deadlineCheckMs = 20

interface RequestsOptions {
  /** Of the process. */
  readonly name: string
  readonly isConnected: () => boolean
  readonly logger: Logger
}

export function createRequests(connection: NatsConnection, { name, isConnected, logger }: RequestsOptions): Requests {
  const connectionId = randomUUID()
  /** Messages that get the requests of this turn, by subject. */
  const gathering = new Map<string, RequestMessage>()
  /** Messages with unanswered requests, by the subject for their answers. */
  const sent = new Map<string, RequestMessage>()
  let messages = 0
  let deadlineTimer: NodeJS.Timeout | undefined

  const settle = (inbox: string, place: number): Waiting | undefined => {
    const message = sent.get(inbox)
    const waiting = message?.waiting[place]
    if (message === undefined || waiting === undefined) return undefined
    message.waiting[place] = undefined
    if (--message.unanswered === 0) sent.delete(inbox)
    return waiting
  }
  const rejectAll = (message: RequestMessage, inbox: string, createError: () => Error) => {
    sent.delete(inbox)
    for (const waiting of message.waiting) waiting?.reject(createError())
  }
  const checkDeadlines = () => {
    const now = performance.now()
    for (const [inbox, { waiting }] of sent)
      for (const [place, one] of waiting.entries())
        if (one !== undefined && one.deadlineAt <= now)
          settle(inbox, place)?.reject(new Fault('unavailable', { cause: new errors.TimeoutError() }))
    if (sent.size > 0) return
    clearInterval(deadlineTimer)
    deadlineTimer = undefined
  }
  const publish = (message: RequestMessage) => {
    const [service = ''] = message.subject.split('.', 1)
    const inbox = `${inboxOf(name, service)}.${connectionId}.${messages++}`
    sent.set(inbox, message)
    // Otherwise the client would send the message after it is connected again, when no caller may wait for the answers.
    if (!isConnected()) return rejectAll(message, inbox, disconnected)
    deadlineTimer ??= setInterval(checkDeadlines, deadlineCheckMs).unref()
    try {
      connection.publish(message.subject, `[${message.requests.join()}]`, { reply: inbox })
    } catch (error) {
      rejectAll(message, inbox, () => new Fault('unavailable', { cause: error }))
    }
  }
  const publishAll = () => {
    for (const message of gathering.values()) publish(message)
    gathering.clear()
  }
  const receive = (error: Error | null, message: Msg) => {
    if (error) return logger.error({ error }, 'subscription for answers failed')
    const inbox = message.subject
    if (isNoResponders(message)) {
      const request = sent.get(inbox)
      if (request) rejectAll(request, inbox, () => new errors.NoRespondersError(request.subject))
      return
    }
    try {
      for (const answer of parseMessage(AnswerMessage, message)) settle(inbox, answer.place)?.resolve(answer)
    } catch (malformed) {
      logger.error({ error: malformed }, 'malformed answer')
    }
  }
  connection.subscribe(`${inboxOf(name, '*')}.${connectionId}.*`, { callback: receive })

  return {
    send: (subject, input, call) =>
      new Promise((resolve, reject) => {
        if (gathering.size === 0) setImmediate(publishAll)
        const message = gathering.get(subject) ?? { subject, requests: [], waiting: [], length: 0, unanswered: 0 }
        gathering.set(subject, message)
        const request = stringifyRequest(call, input)
        message.requests.push(request)
        message.length += request.length
        message.waiting.push({ deadlineAt: call.deadlineAt, resolve, reject })
        message.unanswered++
        if (message.requests.length < requestsPerMessage && message.length < fullMessageLength) return
        gathering.delete(subject)
        publish(message)
      }),
    disconnect() {
      for (const [inbox, message] of sent) rejectAll(message, inbox, disconnected)
    },
  }
}

function disconnected(): Fault {
  return new Fault('unavailable', { cause: new DisconnectedError() })
}

/** The JSON of a `BusRequest`. */
function stringifyRequest(call: Call, input: string): string {
  const trace = traceHeaders()
  const request: Omit<BusRequest, 'input'> = {
    request_id: call.request_id,
    remaining_ms: remainingMs(call),
    ...(Object.keys(trace).length > 0 && { trace }),
    ...(call.staleness && { max_age_ms: Math.max(0, Math.floor(call.staleness.maxAgeMs)) }),
  }
  return `${JSON.stringify(request).slice(0, -1)},"input":${input}}`
}

/** NATS answers a message without a receiver with this status. */
function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503
}
