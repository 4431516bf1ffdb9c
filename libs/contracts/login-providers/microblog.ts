import { type ClaimMapping, listSuppliedItems } from './claims.ts'
import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'
import type { UserResource } from './protocol.ts'

/** What both versions of the API name alike. All links are shortened; the expanded ones are next to them. */
const common = (at: '' | '/data') =>
  ({
    full_name: `${at}/name`,
    bio: `${at}/description`,
    location: `${at}/location`,
    website: { as: 'list', from: [`${at}/entities/url/urls/*/expanded_url`, `${at}/url`] },
    verified: { as: 'flag', from: `${at}/verified` },
  }) as const

const profileUri = (userName: string) => ({ as: 'list', from: [userName], template: 'https://x.com/{}' }) as const

// The provider returns only confirmed e-mail addresses.
const claimsV1 = {
  profile: {
    user_name: '/screen_name',
    image_url: '/profile_image_url_https',
    uri: profileUri('/screen_name'),
    ...common(''),
  },
  follow: { followed_by: '/followers_count', following: '/friends_count' },
  email: { address: '/email', verified: true },
} as const satisfies ClaimMapping

const claims = {
  profile: {
    user_name: '/data/username',
    image_url: '/data/profile_image_url',
    uri: profileUri('/data/username'),
    ...common('/data'),
  },
  follow: {
    followed_by: '/data/public_metrics/followers_count',
    following: '/data/public_metrics/following_count',
  },
  email: { address: '/data/confirmed_email', verified: true },
} as const satisfies ClaimMapping

const userV2 = {
  endpoint: 'https://api.x.com/2/users/me',
  userId: '/data/id',
  claims,
  fields: {
    parameter: 'user.fields',
    always: [],
    profile: [
      'description',
      'entities',
      'location',
      'profile_image_url',
      'public_metrics',
      'url',
      'verified',
      'verified_type',
    ],
    email: ['confirmed_email'],
  },
} as const satisfies UserResource

/** X. */
export const microblog = {
  displayName: { en: 'X', ja: 'X' },
  pathToken: 'microblog_x',
  supplies: listSuppliedItems(claims),
  credential: {
    fields: {
      access_token: 'access_token',
      access_secret: 'access_secret',
      expires_at: alwaysNull,
      client_access_token: 'client_access_token',
      client_access_secret: 'client_access_secret',
      client_expires_at: 'client_expires_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
  },
  chartColor: 'cyan.7',
  button: {
    label: { en: 'Sign in with X', ja: 'Xでログイン' },
    light: { background: '#000000', text: '#ffffff', border: '#000000' },
    dark: { background: '#ffffff', text: '#000000', border: '#ffffff' },
  },
  logo: {
    path: 'M14.234 10.162 22.977 0h-2.072l-7.591 8.824L7.251 0H.258l9.168 13.343L.258 24H2.33l8.016-9.318L16.749 24h6.993zm-2.837 3.299-.929-1.329L3.076 1.56h3.182l5.965 8.532.929 1.329 7.754 11.09h-3.182z',
  },
  consoleUrl: 'https://console.x.com/',
  clientSecret: 'text',
  options: {
    app_client_ids: appClientIds,
    /** The secret of the app's consumer key, if apps do not use that of the site. */
    app_client_secret: { type: 'text', secret: true, maximum: 255 },
    protocol: { type: 'choice', values: ['oauth1', 'oauth2'], default: 'oauth1' },
  },
  webhooks: [],
  documentation: {
    service: 'X, OAuth 1.0a or OAuth 2.0',
    email: 'always, because the provider returns only confirmed addresses',
    accessToken: 'does not expire; with OAuth 2.0: 2 hours',
    refresh: 'not needed; with OAuth 2.0: with a refresh token that is replaced at every use',
    revocation: 'invalidates the access token; with OAuth 2.0: revokes access and refresh token',
    quirks: [
      'The protocol is OAuth 1.0a unless the option `protocol` of the provider settings is `oauth2`; then enter the client ID and secret of OAuth 2.0.',
      'The credential object contains the token and secret of OAuth 1.0a; with OAuth 2.0 the secret is null.',
      'The e-mail address requires a permission in the provider’s console; end users who authorized the application earlier have to do so again.',
      'Native apps log in with the token and secret of OAuth 1.0a, which are stored in `client_access_token` and `client_access_secret`. Enter the consumer key of the app in the option `app_client_ids`, and its secret in `app_client_secret` unless it is the client ID of the site.',
      'Register the callback URL without a query at the provider.',
      'The provider may charge for each login that reads the profile.',
    ],
  },
  protocols: [
    // Its tokens have a secret and do not expire, as in the specification's credential object.
    {
      type: 'oauth1',
      endpoints: {
        request_token: 'https://api.x.com/oauth/request_token',
        authorization: 'https://api.x.com/oauth/authenticate',
        access_token: 'https://api.x.com/oauth/access_token',
        invalidation: 'https://api.x.com/1.1/oauth/invalidate_token.json',
      },
      prompts: { login: { force_login: 'true' }, select_account: { force_login: 'true' } },
      // Not every plan of the provider includes the first resource; the second also accepts these tokens.
      users: [
        {
          endpoint: 'https://api.x.com/1.1/account/verify_credentials.json?skip_status=true',
          userId: '/id_str',
          claims: claimsV1,
          emailParameter: 'include_email',
        },
        userV2,
      ],
      invalidTokenCode: 89,
    },
    {
      type: 'oauth2',
      issuer: 'https://x.com',
      endpoints: {
        authorization: 'https://x.com/i/oauth2/authorize',
        token: 'https://api.x.com/2/oauth2/token',
      },
      // Its secrets contain characters that would be encoded, and its documentation does not encode them.
      clientAuthentication: 'raw_basic',
      usesPkce: true,
      prompts: {},
      scopes: { always: ['users.read', 'tweet.read', 'offline.access'], email: ['users.email'] },
      user: userV2,
      revocation: { endpoint: 'https://api.x.com/2/oauth2/revoke', tokens: 'both' },
      // It reports an invalid refresh token so: nothing else in the request could be invalid.
      grantErrors: ['invalid_request'],
    },
  ],
} as const satisfies LoginProviderDescription
