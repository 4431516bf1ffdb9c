import { jwtVerify } from 'jose'
import type { Parameters } from '#http'
import type { Client } from '../../clients.ts'
import { OAuthError } from '../../oauth.ts'
import type { Device } from './state.ts'

/** The longest life a client secret may have, from `iat` to `exp`: about six months. */
const secret_life_seconds = 15_777_000

/**
 * The client of a form, whose `client_secret` is a token that the client signed with ES256: issued by its team, about the
 * client, for this provider.
 *
 * @throws OAuthError `invalid_request`, `invalid_client`
 */
export async function authenticateClient({ values }: Parameters, { clients, issuer }: Device): Promise<Client> {
  const client = clients.find('device', required(values, 'client_id'))
  const secret = required(values, 'client_secret')
  if (client?.public_key === undefined || client.team_id === undefined) throw refused('The client_id is not known.')
  const checks = { algorithms: ['ES256'], issuer: client.team_id, subject: client.client_id, audience: issuer }
  const { payload, protectedHeader } = await jwtVerify(secret, client.public_key, {
    ...checks,
    requiredClaims: ['iat', 'exp'],
  }).catch((error: unknown) => {
    throw refused(`The client_secret does not hold: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
  })
  if (protectedHeader.kid !== client.key_id) throw refused('The client_secret is signed with a key of another id.')
  const { iat = 0, exp = 0 } = payload
  if (exp - iat > secret_life_seconds) throw refused(`The client_secret lives longer than ${secret_life_seconds} s.`)
  return client
}

function refused(description: string): OAuthError {
  return new OAuthError('invalid_client', description)
}

/** @throws OAuthError `invalid_request` */
export function required(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}
