import type { Msg } from '@nats-io/transport-node'
import { z } from 'zod'
import { isFaultName } from '#contracts'

/**
 * The messages between services are JSON. A message contains the requests of one turn of the event loop for one subject, and an
 * answer message those answers to one message that are ready in the same turn: for NATS, a message costs more than its content.
 */

/** Most requests in a message. Our choice: a replica must not get all requests of a busy moment. */
export const requestsPerMessage = 16
/** A message that is at least this long gets no further requests or answers, far below NATS' limit of 1 MiB. */
export const fullMessageLength = 64 * 1_024

const BusRequest = z.object({
  request_id: z.string(),
  remaining_ms: z.int().nonnegative(),
  /** Trace headers, of traced requests only. */
  trace: z.record(z.string(), z.string()).optional(),
  /** How old the data may be; absent: it must be current. */
  max_age_ms: z.int().nonnegative().optional(),
  input: z.unknown(),
})
export type BusRequest = z.infer<typeof BusRequest>

export const RequestMessage = z.array(BusRequest).max(requestsPerMessage)

/** Where the request is in its message. */
const place = z.int().nonnegative()
const Answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('output'),
    place,
    output: z.unknown(),
    /** How old the data of a procedure that may be stale was, an upper bound. Absent: current. */
    age_ms: z.int().nonnegative().optional(),
  }),
  z.object({
    kind: z.literal('fault'),
    place,
    fault: z.string().refine(isFaultName),
    fields: z.array(z.object({ field: z.string(), reason: z.string() })),
    /** The replica that is unavailable. */
    replica: z.string().optional(),
  }),
  z.object({ kind: z.literal('defect'), place }),
])
export type Answer = z.infer<typeof Answer>

type WithoutPlace<A> = A extends Answer ? Omit<A, 'place'> : never
/** The answer to a request, wherever it is in a message. */
export type CallOutcome = WithoutPlace<Answer>

export const AnswerMessage = z.array(Answer)

/** Parses a message. @throws ZodError, or an error without the message's content if it is not JSON */
export function parseMessage<T extends z.ZodType>(schema: T, message: Msg): z.output<T> {
  return schema.parse(readJson(message))
}

function readJson(message: Msg): unknown {
  try {
    return message.json()
  } catch {
    // The error of the parser quotes the content.
    throw new Error('The message is not JSON.')
  }
}

export function subjectOf(service: string, name: string): string {
  return `${service}.${name}`
}

/** Asks which replicas of a service are available: each one that is ready and that the search permits replies with its ID. */
export function replicasSubject(service: string): string {
  return `${service}.replicas`
}

/** Which replicas may not reply: those excluded, and those with a call of this request in progress, because they may be slow. */
export const ReplicaSearch = z.object({ excluded: z.array(z.string()), request_id: z.string() })
export type ReplicaSearch = z.infer<typeof ReplicaSearch>

/** A procedure at one replica. `*` as the replica: any. */
export function subjectAt(service: string, replica: string, name: string): string {
  return `${service}.at.${replica}.${name}`
}

/** Describes the trace span of a request; `process` is the server's side. */
export function describeSpan(subject: string, operation: 'request' | 'process') {
  return {
    name: `${subject} ${operation}`,
    kind: operation === 'request' ? 'client' : 'server',
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': subject,
      'messaging.operation.type': operation === 'request' ? 'send' : 'process',
    },
  } as const
}

/**
 * The subjects for the answers of a service to a process (`*`: to any process). NATS permits only the process to subscribe to
 * them, and only the service to publish to them.
 */
export function inboxOf(process: string, service: string): string {
  return `${inboxPrefix(process)}.${service}`
}

export function inboxPrefix(process: string): string {
  return `_INBOX.${process}`
}
