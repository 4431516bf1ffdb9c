import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { traceHeaders } from '#runtime'
import type { Call } from './call.ts'
import { remainingMs } from './call.ts'

/** Header names between services. A reply without `fault` and `defect` is an answer. */
export const header = {
  request_id: 'Request-Id',
  remaining_ms: 'Remaining-Ms',
  fault: 'Fault',
  defect: 'Defect',
} as const

export function subjectOf(service: string, name: string): string {
  return `${service}.${name}`
}

/** What a span tells of a question; `process` is the side that answers. */
export function spanOf(subject: string, operation: 'request' | 'process') {
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

/** Where answers to a process's questions arrive: beneath a name of its own, so that no other can be allowed to listen. */
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

export function replyHeaders(name: 'fault' | 'defect', value: string): MsgHdrs {
  const fields = headers()
  fields.set(header[name], value)
  return fields
}
