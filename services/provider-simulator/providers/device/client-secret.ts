import { jwtVerify } from 'jose'
import type { SimulatedClient } from '../../client-registry.ts'
import { type ErrorFields, oauthError } from '../../oauth/errors.ts'
import { simulatedClock } from '../../simulated-clock.ts'

/** Maximum lifetime of a client secret, from `iat` to `exp`: about six months. */
const maxLifetimeSeconds = 15_777_000

const invalidClient = (description: string) => oauthError('invalid_client', description)

export const unknownClient = invalidClient('The client_id is unknown.')

/**
 * Verifies a `client_secret`: a JWT that the client signed with ES256, issued by its team, about the client, for this
 * provider.
 *
 * @returns the error, if any
 */
export async function verifyClientSecret(
  secret: string,
  { client_id, team_id, key_id, public_key }: SimulatedClient,
  issuer: string,
): Promise<ErrorFields | undefined> {
  if (public_key === undefined || team_id === undefined) return unknownClient
  const checks = { algorithms: ['ES256'], issuer: team_id, subject: client_id, audience: issuer }
  try {
    const { payload, protectedHeader } = await jwtVerify(secret, public_key, {
      currentDate: new Date(simulatedClock.now()),
      ...checks,
      requiredClaims: ['iat', 'exp'],
    })
    const { iat = 0, exp = 0 } = payload
    if (protectedHeader.kid !== key_id) return invalidClient('The client_secret is signed with another key ID.')
    if (exp - iat <= maxLifetimeSeconds) return undefined
    return invalidClient(`The client_secret is valid for more than ${maxLifetimeSeconds} s.`)
  } catch (error) {
    return invalidClient(
      `The client_secret is invalid: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
}
