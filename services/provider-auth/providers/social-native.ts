import { z } from 'zod'
import type { ProviderData } from '#contracts'
import { listRequestedItems } from '../domain/requested-items.ts'
import { Claims } from './claims.ts'
import { toEmail } from './email.ts'
import type { NativeDescription } from './native-description.ts'
import { readResource } from './native-resource.ts'
import type { OAuth2Description } from './oauth2-description.ts'
import { optionalText } from './optional-text.ts'
import { AppLoginRejected } from './provider.ts'

const Inspected = z.object({
  data: z.object({
    is_valid: z.boolean(),
    app_id: z.coerce.string().optional(),
    user_id: z.coerce.string().optional(),
    /** Unix time in seconds; 0: never. */
    expires_at: z.number().default(0),
    error: z.object({ code: z.number() }).optional(),
  }),
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
        const { client_id, client_secret } = settings
        const inspection = `https://graph.facebook.com/debug_token?${new URLSearchParams({ input_token: accessToken })}`
        const { data } = await readResource(Inspected, inspection, fetch, `${client_id}|${client_secret}`)
        if (data.error?.code === otherApplication) throw new AppLoginRejected('app_client_unknown')
        if (!data.is_valid) throw new AppLoginRejected('app_access_token_invalid')
        const parameters = new URLSearchParams({
          ...userResource.parameters?.(listRequestedItems('social', scope), settings),
          ...toTokenProof?.(accessToken, settings),
        })
        const claims = await readResource(Claims, `${userResource.endpoint}?${parameters}`, fetch, accessToken)
        const { provider_user_id } = userResource.read(claims, settings)
        if (data.user_id !== provider_user_id) throw new Error('The provider named two users for one access token.')
        const expiresAt = data.expires_at === 0 ? null : new Date(data.expires_at * 1_000)
        return { client_id: data.app_id ?? '', provider_user_id, expires_at: expiresAt, claims }
      },
    },
    toProviderData: (idTokenClaims, resource, settings) =>
      resource === undefined ? readIdToken(idTokenClaims) : userResource.read(resource, settings).data,
  }
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
