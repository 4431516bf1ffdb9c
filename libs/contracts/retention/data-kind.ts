/** A kind of stored data: where it is, and how long. The table of retention and the data of a user are made from it. */
export interface DataKind {
  readonly service: DataService
  /** Tables of the service's database, or where else it is. */
  readonly stores: readonly string[]
  readonly holds: string
  /** How long it is kept, and what ends it. */
  readonly kept: string
  /** The setting of a service or a site that changes how long. */
  readonly setting?: string
  /** How long it stays after the user is deleted, and why. Absent: it is deleted with the user, or is not about a user. */
  readonly afterDeletion?: string
}

export const dataServices = ['identity', 'profile', 'provider-auth', 'friendship', 'events', 'console'] as const
export type DataService = (typeof dataServices)[number]
