import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type ProfileItem, type ProviderData, type ProviderOptions, socialPermissions } from '#contracts'
import type { OAuth2Description, ProviderErrorResponse, UserResource } from './oauth2-description.ts'
import { optionalText } from './optional-text.ts'
import { createSocialNative } from './social-native.ts'

/** The version of the Graph API, part of every path. The provider supports a version for at least two years. */
const version = 'v26.0'
const graph = `https://graph.facebook.com/${version}`

const userResource: UserResource = {
  endpoint: `${graph}/me`,
  // The response omits fields whose permission was not granted.
  parameters: (requested, { options }) => ({
    fields: [
      'id',
      ...(requested.includes('full_name')
        ? [...profileFields, ...approvedPermissions(options).map((permission) => permissions[permission].field)]
        : []),
      ...(requested.includes('email') ? ['email'] : []),
    ].join(','),
  }),
  read(body, { options }) {
    const user = GraphUser.parse(body)
    const approved = approvedPermissions(options)
    const notObtained = socialPermissions
      .filter((permission) => !approved.includes(permission))
      .flatMap((permission) => permissions[permission].items)
    return { provider_user_id: user.id, data: { ...toProviderData(user), not_obtained: notObtained } }
  },
}

const toTokenProof: OAuth2Description['toTokenProof'] = (accessToken, { client_secret }) => ({
  appsecret_proof: createHmac('sha256', client_secret).update(accessToken).digest('hex'),
})

/** Facebook Login. */
export const socialDescription: OAuth2Description = {
  provider: 'social',
  manifest: {
    service: `Facebook Login, Graph API ${version}`,
    protocol: 'OAuth 2.0',
    id_token_alg: null,
    email: 'never, because the provider does not say',
    access_token: '60 days',
    refresh: 'only by a new login of the end user',
    revocation: 'deletes the end user’s permissions, which removes the application',
    quirks: [
      'End users may have no e-mail address or decline to share it; the provider does not ask again.',
      'Age range, birthday, gender, link, location and hometown require permissions that the provider has to approve; list them in the option `permissions`.',
      'An end user has a different ID in each application of the provider.',
      'Browsers may return with the fragment `#_=_`.',
      'It sends webhooks when an end user removes the application or requests data deletion.',
      'Native apps log in with an access token of the site’s own App ID, or an ID Token of Limited Login. List their App IDs in the option `app_client_ids`.',
    ],
  },
  issuer: 'https://www.facebook.com',
  endpoints: {
    authorization: `https://www.facebook.com/${version}/dialog/oauth`,
    token: `${graph}/oauth/access_token`,
  },
  // Documented only for its OpenID Connect variant, which is in testing.
  supportsPkce: false,
  fixedParameters: {},
  passedParameters: {},
  // Declined permissions could be requested again with `rerequest`; `consent` is for messaging only.
  prompts: { login: { auth_type: 'reauthenticate' } },
  scopeSeparator: ',',
  // The provider always grants `public_profile`.
  toProviderScopes: (scope, { options }) => [
    'public_profile',
    ...(scope.includes('email') ? ['email'] : []),
    ...(scope.includes('profile') ? approvedPermissions(options) : []),
  ],
  userResource,
  toTokenProof,
  native: createSocialNative({ userResource, toTokenProof }),
  exchange: { grant_type: 'fb_exchange_token', parameter: 'fb_exchange_token', minLifetimeSeconds: 86_400 },
  deauthorization: `${graph}/me/permissions`,
  readErrorResponse: readGraphError,
}

const profileFields = ['name', 'first_name', 'middle_name', 'last_name', 'picture.type(large)']

/** The field that each permission grants, and the items derived from it. */
const permissions: Readonly<
  Record<(typeof socialPermissions)[number], { readonly field: string; readonly items: readonly ProfileItem[] }>
> = {
  user_age_range: { field: 'age_range', items: ['age_range_min', 'age_range_max'] },
  user_birthday: { field: 'birthday', items: ['birthday'] },
  user_gender: { field: 'gender', items: ['gender'] },
  user_hometown: { field: 'hometown', items: ['hometown', 'hometown_id'] },
  user_link: { field: 'link', items: ['uri'] },
  user_location: { field: 'location', items: ['location', 'location_id'] },
}

function approvedPermissions({ permissions: approved = '' }: ProviderOptions) {
  const names = approved.split(',')
  return socialPermissions.filter((permission) => names.includes(permission))
}

const years = z.int().nonnegative().optional().catch(undefined)
const locationField = z.object({ id: optionalText, name: optionalText }).partial().catch({}).default({})

const GraphUser = z.object({
  id: z.string(),
  name: optionalText,
  first_name: optionalText,
  middle_name: optionalText,
  last_name: optionalText,
  email: optionalText,
  picture: z
    .object({ data: z.object({ url: optionalText, is_silhouette: z.unknown().optional() }) })
    .optional()
    .catch(undefined),
  age_range: z.object({ min: years, max: years }).catch({}).default({}),
  birthday: optionalText,
  gender: optionalText,
  link: optionalText,
  location: locationField,
  hometown: locationField,
})

function toProviderData(user: z.output<typeof GraphUser>): ProviderData {
  const { picture, age_range, location, hometown } = user
  return {
    profile: {
      full_name: user.name,
      first_name: user.first_name,
      middle_name: user.middle_name,
      last_name: user.last_name,
      // A silhouette is the placeholder for users without a picture.
      image_url: picture?.data.is_silhouette === true ? undefined : picture?.data.url,
      age_range_min: age_range.min,
      age_range_max: age_range.max,
      birthday: readBirthday(user.birthday),
      gender: genders.get(user.gender),
      ...(user.link !== undefined && { uri: [user.link] }),
      location: location.name,
      location_id: location.id,
      hometown: hometown.name,
      hometown_id: hometown.id,
    },
    follow: null,
    email: user.email === undefined ? [] : [{ email: user.email, verified: false }],
    phone: [],
  }
}

const genders = new Map<string | undefined, number>([
  ['male', 1],
  ['female', 2],
])

/** Parses `MM/DD/YYYY`. End users may hide the year, or all but the year; then there is no birthday. */
function readBirthday(user: string | undefined): string | undefined {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(user ?? '') ?? []
  return z.iso.date().safeParse(`${year}-${month}-${day}`).data
}

const GraphError = z.object({ error: z.object({ type: z.string(), code: z.int() }) })

/** The access token, session or login is permanently invalid, for whatever reason. */
const invalidTokenCodes: ReadonlySet<number> = new Set([102, 190])

/** The Graph API's own error object, e.g. `{"error": {"message": …, "type": "OAuthException", "code": 190}}`. */
function readGraphError(body: unknown): ProviderErrorResponse | undefined {
  const { data } = GraphError.safeParse(body)
  return data && { error: `${data.error.type}_${data.error.code}`, endsGrant: invalidTokenCodes.has(data.error.code) }
}
