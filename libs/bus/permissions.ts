import type { BusInterface } from './bus-interface.ts'
import { inboxOf, subjectOf } from './messages.ts'

/** What a NATS server lets a user do, as its configuration has it. A subject followed by a queue's name permits only that queue. */
export interface Permissions {
  readonly publish: { readonly allow: readonly string[] }
  readonly subscribe: { readonly allow: readonly string[] }
  /** Whoever answers may publish to the inbox of each question it received, and to no other. */
  readonly allow_responses?: { readonly max: number; readonly expires: string }
}

/** Longer than any question waits for its answer. */
const answerWithin = '1m'

/** Exactly what a station does: to ask, to answer, to tell and to hear, and answers to its own questions alone. */
export function permissionsOf({ name, serves: fulfils, calls: asks, subscribes: hears }: BusInterface): Permissions {
  const asked = Object.values(asks).flatMap(({ service, procedures }) => subjects(service, procedures))
  const told = fulfils ? subjects(fulfils.service, fulfils.notices) : []
  const answered = fulfils ? subjects(fulfils.service, fulfils.procedures) : []
  const heard = hears.flatMap(({ service, notices }) => subjects(service, notices))
  return {
    publish: { allow: [...asked, ...told].sort() },
    subscribe: {
      allow: [...answered.map((subject) => `${subject} ${fulfils?.service}`), ...heard, `${inboxOf(name)}.>`].sort(),
    },
    ...(answered.length > 0 ? { allow_responses: { max: 1, expires: answerWithin } } : {}),
  }
}

function subjects(service: string, named: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(named).map((name) => subjectOf(service, name))
}
