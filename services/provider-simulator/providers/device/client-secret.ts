import { jwtVerify } from 'jose'
import type { Client } from '../../clients.ts'
import { type ErrorFields, oauthError } from '../../oauth/errors.ts'

/** The longest life of a client secret, from `iat` to `exp`: about six months. */
const longestLifeSeconds = 15_777_000

const invalidClient = (description: string) => oauthError('invalid_client', description)

export const unknownClient = invalidClient('The client_id is not known.')

/**
 * Verifies a `client_secret` that is a JWT which the client signed with ES256: issued by its team, about the client, for this
 * provider.
 *
 * @returns what is wrong with it, if anything is
 */
export async function verifyClientSecret(
  secret: string,
  { client_id, team_id, key_id, public_key }: Client,
  issuer: string,
): Promise<ErrorFields | undefined> {
  if (public_key === undefined || team_id === undefined) return unknownClient
  const checks = { algorithms: ['ES256'], issuer: team_id, subject: client_id, audience: issuer }
  try {
    const { payload, protectedHeader } = await jwtVerify(secret, public_key, {
      ...checks,
      requiredClaims: ['iat', 'exp'],
    })
    const { iat = 0, exp = 0 } = payload
    if (protectedHeader.kid !== key_id) return invalidClient('The client_secret is signed with a key of another id.')
    if (exp - iat <= longestLifeSeconds) return undefined
    return invalidClient(`The client_secret lives longer than ${longestLifeSeconds} s.`)
  } catch (error) {
    return invalidClient(
      `The client_secret does not hold: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
}
