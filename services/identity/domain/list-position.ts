/** The place of a user in lists, which are in the order of registration, then of identifiers. */
export interface ListPosition {
  /** Unix time in seconds. */
  readonly registration: number
  readonly identifier: string
}

export const beforeEveryUser: ListPosition = { registration: -1, identifier: '' }
export const afterEveryUser: ListPosition = { registration: 2 ** 32, identifier: '' }

/** @param registration may be omitted for a user who was not imported, whose identifier begins with it */
export function toListPosition(identifier: string, registration?: number): ListPosition {
  return { identifier, registration: registration ?? (Number.parseInt(identifier.slice(0, 8), 16) || 0) }
}
