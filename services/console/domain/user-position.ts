import type { UserPosition } from '#contracts'

/** A place in the list of users by creation, as an earlier release stored it. */
interface RegistrationPosition {
  readonly after: string
  readonly after_registration: number | undefined
}

/** Where a bulk change continues. */
export type BulkPosition = UserPosition | RegistrationPosition

export function toUserPosition(position: BulkPosition): UserPosition {
  if ('section' in position) return position
  const { after: identifier, after_registration } = position
  // Identifiers that were not imported begin with the registration.
  const registration = after_registration ?? (Number.parseInt(identifier.slice(0, 8), 16) || 0)
  return { section: 'registration', value: registration, registration, identifier }
}

const letters = { last_logged_in_at: 'l', created_at: 'c', login_count: 'n' } as const

/** Format of `next`: the registration and the identifier of a user, after what the list is sorted by. */
export const positionPattern = /^(?:([lcn])(-?\d{1,16})\.)?(\d{1,10})\.([\x21-\x7e]{1,40})$/

export function formatUserPosition({ section, value, registration, identifier }: UserPosition): string {
  const prefix = section === 'registration' ? '' : `${letters[section]}${value}.`
  return `${prefix}${registration}.${identifier}`
}

/** Parses `next` of a page, which matches the pattern of the contract. */
export function parseUserPosition(next: string): UserPosition | undefined {
  const [, letter, value, digits, identifier] = positionPattern.exec(next) ?? []
  if (digits === undefined || identifier === undefined) return undefined
  const registration = Number(digits)
  if (letter === undefined || value === undefined)
    return { section: 'registration', value: registration, registration, identifier }
  const sections = { l: 'last_logged_in_at', c: 'created_at', n: 'login_count' } as const
  const section = letter === 'l' || letter === 'c' ? sections[letter] : sections.n
  return { section, value: Number(value), registration, identifier }
}
