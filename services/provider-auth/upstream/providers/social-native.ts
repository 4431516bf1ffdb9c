import { z } from 'zod'
import { type ProviderData, parseExactJson } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listRequestedItems } from '../../domain/requested-items.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { Claims } from './claims.ts'
import { toEmail } from './email.ts'
import type { NativeDescription } from './native-description.ts'
import { readResource } from './native-resource.ts'
import type { OAuth2Description } from './oauth2-description.ts'
import { optionalText } from './optional-text.ts'
import { AppLoginRejected, ProviderRequestFailed } from './provider.ts'

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

type WebLogin = Pick<OAuth2Description, 'userResource' | 'toTokenProof'>

/**
 * The Facebook SDK. Access tokens are inspected with the secret of their own application, so those of other applications
 * are rejected. Limited Login on iOS has ID Tokens only.
 */
export function createSocialNative({ userResource, toTokenProof }: WebLogin): NativeDescription {
  return {
    id_token: {
      alg: 'RS256',
      jwks: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
      issuer: 'https://www.facebook.com',
    },
    accessToken: {
      saysClient: true,
      async readUser(accessToken, { fetch, settings, scope }) {
        const { app_id, user_id, expires_at } = await inspectAccessToken(accessToken, settings, fetch)
        const parameters = new URLSearchParams({
          ...userResource.parameters?.(listRequestedItems('social', scope), settings),
          ...toTokenProof?.(accessToken, settings),
        })
        const claims = await readResource(Claims, `${userResource.endpoint}?${parameters}`, fetch, accessToken)
        const { provider_user_id } = userResource.read(claims, settings)
        if (user_id !== provider_user_id) throw new Error('The provider named two users for one access token.')
        const expiresAt = expires_at === 0 ? null : new Date(expires_at * 1_000)
        return { client_id: app_id, provider_user_id, expires_at: expiresAt, claims }
      },
    },
    toProviderData: (idTokenClaims, resource, settings) =>
      resource === undefined ? readIdToken(idTokenClaims) : userResource.read(resource, settings).data,
  }
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

const IdTokenClaims = z.object({
  name: optionalText,
  given_name: optionalText,
  middle_name: optionalText,
  family_name: optionalText,
  picture: optionalText,
  email: optionalText,
})

function readIdToken(claims: Claims): ProviderData {
  const { name, given_name, middle_name, family_name, picture, email } = IdTokenClaims.parse(claims)
  return {
    profile: {
      full_name: name,
      first_name: given_name,
      middle_name,
      last_name: family_name,
      image_url: picture,
    },
    follow: null,
    // The provider does not say whether an address is verified.
    email: toEmail({ email }),
    phone: [],
  }
}
