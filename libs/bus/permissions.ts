import type { Procedure } from '#contracts'
import type { BusInterface } from './bus-interface.ts'
import { inboxOf, inboxPrefix, replicasSubject, subjectAt, subjectOf } from './messages.ts'

/** NATS permissions of a user, as in the server's configuration. A subject followed by a queue name permits only that queue. */
export interface Permissions {
  readonly publish: { readonly allow: readonly string[] }
  readonly subscribe: { readonly allow: readonly string[] }
}

/** The minimal permissions for a bus interface: its calls, procedures, notices and subscriptions, and its own inbox. */
export function permissionsOf({ name, serves, calls, subscribes }: BusInterface): Permissions {
  const calledSubjects = Object.values(calls).flatMap(({ service, procedures }) => [
    ...subjects(service, procedures),
    ...repeatSubjects(service, procedures),
  ])
  const publishedSubjects = serves ? subjects(serves.service, serves.notices) : []
  const answerSubjects = serves ? [`${inboxOf('*', serves.service)}.>`] : []
  const servedSubjects = serves ? subjects(serves.service, serves.procedures) : []
  const subscribedSubjects = subscribes.flatMap(({ service, notices }) => subjects(service, notices))
  return {
    publish: { allow: [...calledSubjects, ...publishedSubjects, ...answerSubjects].sort() },
    subscribe: {
      allow: [
        ...servedSubjects.map((subject) => `${subject} ${serves?.service}`),
        ...(serves && servedSubjects.length > 0
          ? [replicasSubject(serves.service), subjectAt(serves.service, '*', '*')]
          : []),
        ...subscribedSubjects,
        `${inboxPrefix(name)}.>`,
      ].sort(),
    },
  }
}

/** The subjects for second attempts. */
function repeatSubjects(service: string, procedures: Readonly<Record<string, Procedure>>): string[] {
  const repeatable = Object.keys(procedures).filter((name) => procedures[name]?.repeatable)
  if (repeatable.length === 0) return []
  return [replicasSubject(service), ...repeatable.map((name) => subjectAt(service, '*', name))]
}

function subjects(service: string, definitions: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(definitions).map((name) => subjectOf(service, name))
}
