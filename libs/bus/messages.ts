import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { traceHeaders } from '#runtime'
import type { Call } from './call.ts'
import { remainingMs } from './call.ts'

/** Header names between services. A reply without `fault` and `defect` contains the output. */
export const header = {
  request_id: 'Request-Id',
  remaining_ms: 'Remaining-Ms',
  fault: 'Fault',
  /** The replica that is unavailable. */
  replica: 'Replica',
  defect: 'Defect',
} as const

export function subjectOf(service: string, name: string): string {
  return `${service}.${name}`
}

/** Asks which replicas of a service are available: each one that is ready and that the search permits replies with its ID. */
export function replicasSubject(service: string): string {
  return `${service}.replicas`
}

/** Which replicas may not reply: those excluded, and those with a call of this request in progress, because they may be slow. */
export interface ReplicaSearch {
  readonly excluded: readonly string[]
  readonly request_id: string
}

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

/** The inbox prefix for replies to a process. Each process has its own, so that NATS permissions can isolate it. */
export function inboxOf(name: string): string {
  return `_INBOX_${name}`
}

export function callHeaders(call: Call): MsgHdrs {
  const fields = headers()
  fields.set(header.request_id, call.request_id)
  fields.set(header.remaining_ms, String(remainingMs(call)))
  for (const [name, value] of Object.entries(traceHeaders())) fields.set(name, value)
  return fields
}

export function replyHeaders(name: 'fault' | 'defect', value: string, replica?: string): MsgHdrs {
  const fields = headers()
  fields.set(header[name], value)
  if (replica !== undefined) fields.set(header.replica, replica)
  return fields
}
