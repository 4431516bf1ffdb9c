import { z } from 'zod'
import type { Context } from '#http'
import { readJsonInput } from '../json-input.ts'
import { simulatedClock } from '../simulated-clock.ts'
import { parseName } from '../user-name.ts'
import type { Dialect } from './dialect.ts'
import { oauthError, SimulatedError } from './errors.ts'
import { signIdTokenInForm } from './id-token.ts'
import type { OAuthServer } from './server.ts'
import { issueAccessToken, issueRefreshToken } from './token.ts'

const SdkLogin = z.strictObject({
  client_id: z.string(),
  /** The name of the end user. */
  user: z.string(),
  nonce: z.string().optional(),
  /** The audience of the ID Token, if the app requests it for its server. */
  server_client_id: z.string().optional(),
})

/**
 * `POST /sdk`, which only the simulator has: returns what the provider's SDK returns in a native app after the end user
 * has logged in and granted everything.
 *
 * @throws SimulatedError
 */
export async function logInBySdk(ctx: Context, sdk: NonNullable<Dialect['sdk']>, server: OAuthServer): Promise<void> {
  const input = await readJsonInput(ctx, SdkLogin)
  if ('problem' in input) throw new SimulatedError(oauthError('invalid_request', input.problem))
  const { client_id, user, nonce, server_client_id } = input.data
  const typed = parseName(user)
  if ('problem' in typed) throw new SimulatedError(oauthError('invalid_request', typed.problem))
  if (server.clients.find(server.dialect.name, client_id) === undefined)
    throw new SimulatedError(oauthError('invalid_client', 'Register the client_id of the app first.'))

  const { name } = typed
  const { consent } = server.grants.consents.give(client_id, name)
  for (const scope of sdk.scopes) consent.granted.add(scope)
  const grant = {
    client_id,
    name,
    scopes: sdk.scopes,
    consent,
    request: new Map<string, string>(),
    redirect_uri: '',
    auth_time: Math.floor(simulatedClock.now() / 1_000),
    isRefreshable: server.dialect.refreshToken !== undefined,
  }
  const issued = sdk.hasAccessToken ? issueAccessToken(grant, server) : undefined
  const contents = { nonce, audience: server_client_id, ...(issued && { access_token: issued.access_token }) }
  ctx.body = {
    ...issued,
    refresh_token: sdk.hasAccessToken && grant.isRefreshable ? issueRefreshToken(grant, server) : undefined,
    id_token: server.sdk && (await signIdTokenInForm(grant, contents, server.sdk, server)),
  }
}
