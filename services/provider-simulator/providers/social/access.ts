import { createHmac } from 'node:crypto'
import { type Context, readParameters } from '#http'
import { equalSecrets } from '#runtime'
import type { Client } from '../../clients.ts'
import { nowSeconds } from '../../oauth.ts'
import { GraphError } from './errors.ts'
import { memberOf } from './member.ts'
import { type AccessToken, type Authorization, isCurrent, type Social } from './state.ts'

/** The access token of a call: a parameter, or `Authorization: Bearer` or `OAuth`. */
export function tokenOf(ctx: Context): string | undefined {
  const in_header = /^(?:Bearer|OAuth) +(\S+)$/i.exec(ctx.get('Authorization'))?.[1]
  return in_header ?? readParameters(ctx.querystring).values.get('access_token')
}

/**
 * Whose access token a call bears, with the proof that it comes of the application's server.
 *
 * @throws GraphError
 */
export function authorizationOf(ctx: Context, social: Social): Authorization {
  const token = tokenOf(ctx)
  if (token === undefined) {
    throw new GraphError(2500, 'An active access token must be used to query information about the current user.')
  }
  const { authorization } = liveToken(token, social)
  const client = social.clients.find('social', authorization.client_id)
  checkProof(readParameters(ctx.querystring).values.get('appsecret_proof'), token, client)
  return authorization
}

/** @throws GraphError 190: there is none, it has ended, or the application was removed */
export function liveToken(token: string, social: Social): AccessToken {
  const found = social.access_tokens.get(token)
  const problem = (message: string, subcode?: number) =>
    new GraphError(190, message, subcode === undefined ? {} : { subcode })
  if (found === undefined) throw problem('Invalid OAuth access token - Cannot parse access token')
  const { authorization, expires_at } = found
  if (!isCurrent(authorization, social)) {
    const { client_id } = authorization
    throw problem(`Error validating access token: The user has not authorized application ${client_id}.`, 458)
  }
  if (expires_at <= nowSeconds()) throw problem('Error validating access token: Session has expired.', 463)
  return found
}

/** The application of an app access token, `<client_id>|<client_secret>`. */
export function appOf(token: string | undefined, { clients }: Social): Client | undefined {
  const bar = token?.indexOf('|') ?? -1
  if (token === undefined || bar < 0) return undefined
  const client = clients.find('social', token.slice(0, bar))
  return client !== undefined && equalSecrets(token.slice(bar + 1), client.client_secret) ? client : undefined
}

/** The authorization of a person whom an application names by id. */
export function authorizationById(user_id: string, client_id: string, social: Social): Authorization | undefined {
  return [...social.authorizations.values()].find(
    (authorization) => authorization.client_id === client_id && memberOf(authorization, social).id === user_id,
  )
}

function checkProof(proof: string | undefined, token: string, client: Client | undefined): void {
  if (client === undefined) throw new GraphError(190, 'Error validating application. Application has been deleted.')
  const type = 'GraphMethodException'
  if (proof === undefined) {
    if (!client.appsecret_proof_required) return
    throw new GraphError(100, 'API calls from the server require an appsecret_proof argument', { type })
  }
  const right = createHmac('sha256', client.client_secret).update(token).digest('hex')
  if (!equalSecrets(proof, right)) {
    throw new GraphError(100, 'Invalid appsecret_proof provided in the API argument', { type })
  }
}
