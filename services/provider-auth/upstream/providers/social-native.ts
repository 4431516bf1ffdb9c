import { z } from 'zod'
import { loginProviderDescriptions, parseExactJson } from '#contracts'
import { Claims } from '../../domain/provider-claims.ts'
import { AppLoginRejected, ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { readResource } from './native-resource.ts'
import type { AccessTokenUser, HookContext } from './provider-hooks.ts'
import { addTokenProof } from './token-proof.ts'
import { buildUserAddress, readUserResource } from './user-resource.ts'

const GraphError = z.object({ code: z.number() })

const Inspected = z.object({
  error: GraphError.optional(),
  data: z
    .object({
      is_valid: z.boolean(),
      app_id: z.coerce.string().optional(),
      user_id: z.coerce.string().optional(),
      /** Unix time in seconds; 0: never. */
      expires_at: z.number().default(0),
      error: GraphError.optional(),
    })
    .optional(),
})

/** The token belongs to another application. */
const otherApplication = 100

/**
 * The Facebook SDK. Access tokens are inspected with the secret of their own application, so those of other applications
 * are rejected.
 */
export async function readSocialToken(
  accessToken: string,
  { fetch, settings, scope }: HookContext,
): Promise<AccessTokenUser> {
  const description = loginProviderDescriptions.social
  const [protocol] = description.protocols
  if (protocol.type !== 'oauth2') throw new Error('The social provider must use OAuth 2.0.')
  const { app_id, user_id, expires_at } = await inspectAccessToken(accessToken, settings, fetch)
  const address = buildUserAddress(protocol.user, description, { granted: scope, settings })
  const proven = addTokenProof(protocol, address, { accessToken, settings })
  const claims = await readResource(Claims, proven, fetch, accessToken)
  const { provider_user_id } = readUserResource(protocol.user, description, claims, settings)
  if (user_id !== provider_user_id) throw new Error('The provider named two users for one access token.')
  const expiresAt = expires_at === 0 ? null : new Date(expires_at * 1_000)
  return { client_id: app_id, provider_user_id, expires_at: expiresAt, claims }
}

/**
 * Inspects an access token as its application.
 *
 * @throws AppLoginRejected if it belongs to another application or is invalid; ProviderRequestFailed if the secret of the
 * settings is wrong
 */
async function inspectAccessToken(
  accessToken: string,
  { client_id, client_secret }: Pick<SiteProviderSettings, 'client_id' | 'client_secret'>,
  fetch: FetchFromProvider,
) {
  const address = `https://graph.facebook.com/debug_token?${new URLSearchParams({ input_token: accessToken })}`
  const headers = { accept: 'application/json', authorization: `Bearer ${client_id}|${client_secret}` }
  const response = await fetch(address, { method: 'GET', headers })
  const { error, data } = Inspected.parse(parseExactJson(await response.text()))
  if ((error ?? data?.error)?.code === otherApplication) throw new AppLoginRejected('app_client_unknown')
  if (data === undefined) throw new ProviderRequestFailed(`status_${response.status}`)
  const { is_valid, app_id, ...inspected } = data
  if (!is_valid || app_id === undefined) throw new AppLoginRejected('app_access_token_invalid')
  return { ...inspected, app_id }
}
