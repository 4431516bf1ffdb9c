import { createHash } from 'node:crypto'
import type { Client } from '../../clients.ts'
import type { Identity } from '../../oauth/dialect.ts'
import type { Consent } from '../../oauth/grants.ts'
import type { Person } from '../../people.ts'

/** The same for every client of a team, and another for each team. */
export function subjectOf(person: Person, client: Client): string {
  const hex = teamDigest(person, client)
  const digits = (from: number) =>
    String(Number.parseInt(hex.slice(from, from + 8), 16))
      .slice(-4)
      .padStart(4, '0')
  return `00${digits(32)}.${hex.slice(0, 32)}.${digits(40)}`
}

/** The e-mail claims, if the end user has an address. Both booleans are text at this provider. */
export function claimsOfEmail({ person, client }: Pick<Identity, 'person' | 'client'>, consent: Consent) {
  if (person.email === undefined) return {}
  const isHidden = hidesEmail(consent)
  return {
    email: isHidden ? `${teamDigest(person, client).slice(48, 58)}@privaterelay.device.example` : person.email,
    email_verified: String(person.email_verified),
    is_private_email: String(isHidden),
  }
}

/** The client knows the end user by an address of the relay. */
export function hidesEmail({ declined }: Consent): boolean {
  return declined.has('email')
}

function teamDigest({ digest }: Person, { team_id, client_id }: Client): string {
  return createHash('sha256')
    .update(`${team_id ?? client_id}\n${digest}`)
    .digest('hex')
}
