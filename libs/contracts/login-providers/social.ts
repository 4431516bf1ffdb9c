import { type ClaimMapping, genderCodes, listSuppliedItems } from './claims.ts'
import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'
import type { Permission } from './protocol.ts'

/** The version of the Graph API, part of every path. The provider supports a version for at least two years. */
const version = 'v26.0'
const graph = `https://graph.facebook.com/${version}`
const issuer = 'https://www.facebook.com'

const permissions = {
  user_age_range: { scope: 'profile', field: 'age_range', items: ['age_range_min', 'age_range_max'] },
  user_birthday: { scope: 'profile', field: 'birthday', items: ['birthday'] },
  user_gender: { scope: 'profile', field: 'gender', items: ['gender'] },
  user_hometown: { scope: 'profile', field: 'hometown', items: ['hometown', 'hometown_id'] },
  user_link: { scope: 'profile', field: 'link', items: ['uri'] },
  user_location: { scope: 'profile', field: 'location', items: ['location', 'location_id'] },
} as const satisfies Readonly<Record<string, Permission>>

// `Object.keys` loses the type of the keys.
const permissionNames = Object.keys(permissions) as (keyof typeof permissions)[]

/** The provider does not say whether an address is verified. */
const email = { address: '/email', verified: false } as const

const claims = {
  profile: {
    full_name: '/name',
    first_name: '/first_name',
    middle_name: '/middle_name',
    last_name: '/last_name',
    // A silhouette is the placeholder for users without a picture.
    image_url: { as: 'text', from: ['/picture/data/url'], unless: '/picture/data/is_silhouette' },
    age_range_min: { as: 'count', from: '/age_range/min' },
    age_range_max: { as: 'count', from: '/age_range/max' },
    // End users may hide the year, or all but the year.
    birthday: { as: 'date', from: '/birthday', format: 'MM/DD/YYYY' },
    gender: { as: 'code', from: '/gender', codes: genderCodes },
    uri: { as: 'list', from: ['/link'] },
    location: '/location/name',
    location_id: '/location/id',
    hometown: '/hometown/name',
    hometown_id: '/hometown/id',
  },
  email,
} as const satisfies ClaimMapping

/** ID Tokens of Limited Login on iOS. */
const idTokenClaims = {
  profile: {
    full_name: '/name',
    first_name: '/given_name',
    middle_name: '/middle_name',
    last_name: '/family_name',
    image_url: '/picture',
  },
  email,
} as const satisfies ClaimMapping

/** Facebook. */
export const social = {
  displayName: { en: 'Facebook', ja: 'Facebook' },
  supplies: listSuppliedItems(claims),
  credential: {
    fields: { access_token: 'access_token', expires_at: 'expires_at', friendship_updated_at: alwaysNull, ...linkTimes },
  },
  chartColor: 'indigo.6',
  button: {
    label: { en: 'Continue with Facebook', ja: 'Facebookで続ける' },
    light: { background: '#1877f2', text: '#ffffff', border: '#1877f2' },
    dark: { background: '#1877f2', text: '#ffffff', border: '#1877f2' },
  },
  logo: {
    path: 'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z',
  },
  consoleUrl: 'https://developers.facebook.com/apps/',
  clientSecret: 'text',
  options: {
    /** Permissions for more profile items, as far as the provider approved them for the site's application. */
    permissions: {
      type: 'list',
      message: 'names unknown permissions',
      values: permissionNames,
    },
    app_client_ids: appClientIds,
  },
  webhooks: ['deauthorize', 'data_deletion'],
  documentation: {
    service: `Facebook Login, Graph API ${version}`,
    email: 'never, because the provider does not say',
    accessToken: '60 days',
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
  protocols: [
    {
      type: 'oauth2',
      issuer,
      endpoints: {
        authorization: `${issuer}/${version}/dialog/oauth`,
        token: `${graph}/oauth/access_token`,
      },
      // Documented only for its OpenID Connect variant, which is in testing.
      usesPkce: false,
      // Declined permissions could be requested again with `rerequest`; `consent` is for messaging only.
      prompts: { login: { auth_type: 'reauthenticate' } },
      scopeSeparator: ',',
      // The provider always grants `public_profile`.
      scopes: { always: ['public_profile'], email: ['email'] },
      user: {
        endpoint: `${graph}/me`,
        userId: '/id',
        claims,
        // The response omits fields whose permission was not granted.
        fields: {
          parameter: 'fields',
          always: ['id'],
          profile: ['name', 'first_name', 'middle_name', 'last_name', 'picture.type(large)'],
          email: ['email'],
        },
      },
      tokenProofParameter: 'appsecret_proof',
      exchange: { grant_type: 'fb_exchange_token', parameter: 'fb_exchange_token', minLifetimeSeconds: 86_400 },
      deauthorization: `${graph}/me/permissions`,
      // E.g. `{"error": {"message": …, "type": "OAuthException", "code": 190}}`: the access token, session or login is
      // permanently invalid.
      errors: { type: '/error/type', code: '/error/code', endingGrant: [102, 190] },
    },
  ],
  permissions,
  native: {
    idToken: {
      alg: 'RS256',
      jwks: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
      issuer,
      claims: idTokenClaims,
    },
  },
} as const satisfies LoginProviderDescription
