import { createHmac } from 'node:crypto'
import { type Context, readParameters } from '#http'
import { equalSecrets } from '#runtime'
import type { ClientRegistry, SimulatedClient } from '../../client-registry.ts'
import type { Grant, Grants, ProviderConsent } from '../../oauth/grants.ts'
import type { OAuthServer } from '../../oauth/server.ts'
import type { IssuedToken } from '../../scenarios/token-store.ts'
import { simulatedClock } from '../../simulated-clock.ts'
import { graphError } from './errors.ts'

/** Reads the access token of a call: a parameter, or `Authorization: Bearer` or `OAuth`. */
export function findGraphAccessToken(ctx: Context): string | undefined {
  const inHeader = /^(?:Bearer|OAuth) +(\S+)$/i.exec(ctx.get('Authorization'))?.[1]
  return inHeader ?? readParameters(ctx.querystring).values.get('access_token')
}

/**
 * The consent of the end user whose access token a call contains, after `appsecret_proof` was verified.
 *
 * @throws SimulatedError of the Graph API
 */
export function findCallConsent(ctx: Context, { grants, clients }: OAuthServer): ProviderConsent {
  const token = findGraphAccessToken(ctx)
  if (token === undefined) {
    throw graphError(2500, 'An active access token must be used to query information about the current user.')
  }
  const { consent, client_id } = findLiveToken(token, grants).grant
  verifyProof(readParameters(ctx.querystring).values.get('appsecret_proof'), token, clients.find('social', client_id))
  return consent
}

/** @throws SimulatedError 190: the token is unknown or has expired, or the application was removed */
export function findLiveToken(token: string, { accessTokens, consents }: Grants): IssuedToken<Grant> {
  const issued = accessTokens.find(token)
  if (issued === undefined) throw graphError(190, 'Invalid OAuth access token - Cannot parse access token')
  const { grant, expiresAtMs } = issued
  if (!consents.isCurrent(grant.consent)) {
    const message = `Error validating access token: The user has not authorized application ${grant.client_id}.`
    throw graphError(190, message, { subcode: 458 })
  }
  if (expiresAtMs <= simulatedClock.now()) {
    throw graphError(190, 'Error validating access token: Session has expired.', { subcode: 463 })
  }
  return issued
}

/** The application of an app access token, `<client_id>|<client_secret>`. */
export function findApp(token: string | undefined, clients: ClientRegistry): SimulatedClient | undefined {
  const bar = token?.indexOf('|') ?? -1
  if (token === undefined || bar < 0) return undefined
  const client = clients.find('social', token.slice(0, bar))
  return client !== undefined && equalSecrets(token.slice(bar + 1), client.client_secret) ? client : undefined
}

function verifyProof(proof: string | undefined, token: string, client: SimulatedClient | undefined): void {
  if (client === undefined) throw graphError(190, 'Error validating application. Application has been deleted.')
  const type = 'GraphMethodException'
  if (proof === undefined) {
    if (!client.appsecret_proof_required) return
    throw graphError(100, 'API calls from the server require an appsecret_proof argument', { type })
  }
  const expected = createHmac('sha256', client.client_secret).update(token).digest('hex')
  if (!equalSecrets(proof, expected)) {
    throw graphError(100, 'Invalid appsecret_proof provided in the API argument', { type })
  }
}
