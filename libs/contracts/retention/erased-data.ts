import { type DataKind, type DataService, dataServices } from './data-kind.ts'
import { otherData } from './other-data.ts'
import { userDataKinds } from './user-data.ts'

/** Data about a deleted user that stays for a time. */
export interface RetainedData {
  /** A stable name: of the kind of data of a user, or of the table. */
  readonly kind: string
  /** The service that has it, or who else. */
  readonly holder: string
  readonly holds: string
  /** How long it stays, and why. */
  readonly kept: string
}

/** The services that delete data of a user and count it. */
export const erasingServices: readonly DataService[] = dataServices.filter((name) =>
  Object.values(userDataKinds).some((kind) => kind.service === name && !('afterDeletion' in kind)),
)

const outside: readonly RetainedData[] = [
  {
    kind: 'backups',
    holder: 'operator',
    holds: 'Backups of the databases',
    kept: 'As long as the operator keeps backups: to restore',
  },
  {
    kind: 'received_data',
    holder: 'customer',
    holds: 'Data that applications, webhooks and members received before the deletion',
    kept: 'As long as the customer keeps it: the customer decides',
  },
]

const namedKinds: readonly (readonly [string, DataKind])[] = [
  ...Object.entries(userDataKinds),
  ...otherData.map((kind) => [kind.stores[0] ?? '', kind] as const),
]

/** What stays after a user is deleted: the same list for every user, whether or not there is such data. */
export const retainedData: readonly RetainedData[] = [
  ...namedKinds.flatMap(([name, { service, holds, afterDeletion }]) =>
    afterDeletion === undefined
      ? []
      : [{ kind: name, holder: service, holds: plain(holds), kept: plain(afterDeletion) }],
  ),
  ...outside,
]

/** Removes Markdown, which the documentation shows. */
function plain(text: string): string {
  return text.replaceAll(/[*`]/g, '')
}
