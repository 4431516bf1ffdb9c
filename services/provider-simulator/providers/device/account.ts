import { createHash } from 'node:crypto'
import type { SimulatedClient } from '../../client-registry.ts'
import type { Identity } from '../../oauth/dialect.ts'
import type { ProviderConsent } from '../../oauth/grants.ts'
import type { SimulatedUser } from '../../simulated-user.ts'

/** The same for all clients of a team, and different for each team. */
export function deriveDeviceSubject(user: SimulatedUser, client: SimulatedClient): string {
  const hex = digestForTeam(user, client)
  const digits = (from: number) =>
    String(Number.parseInt(hex.slice(from, from + 8), 16))
      .slice(-4)
      .padStart(4, '0')
  return `00${digits(32)}.${hex.slice(0, 32)}.${digits(40)}`
}

/** The e-mail claims, if the end user has an address. Both booleans are text at this provider. */
export function getEmailClaims({ user, client }: Pick<Identity, 'user' | 'client'>, consent: ProviderConsent) {
  if (user.email === undefined) return {}
  const isHidden = hidesEmail(consent)
  return {
    email: isHidden ? `${digestForTeam(user, client).slice(48, 58)}@privaterelay.device.example` : user.email,
    email_verified: String(user.email_verified),
    is_private_email: String(isHidden),
  }
}

/** Whether the client has only a relay address of the end user. */
export function hidesEmail({ declined }: ProviderConsent): boolean {
  return declined.has('email')
}

function digestForTeam({ digest }: SimulatedUser, { team_id, client_id }: SimulatedClient): string {
  return createHash('sha256')
    .update(`${team_id ?? client_id}\n${digest}`)
    .digest('hex')
}
