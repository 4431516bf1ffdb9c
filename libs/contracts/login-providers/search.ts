import { type ClaimMapping, listSuppliedItems, standardEmail } from './claims.ts'
import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

const claims = {
  profile: {
    full_name: '/name',
    first_name: '/given_name',
    last_name: '/family_name',
    image_url: '/picture',
    uri: { as: 'list', from: ['/profile'] },
  },
  email: standardEmail,
} as const satisfies ClaimMapping

const issuer = 'https://accounts.google.com'
const jwks = 'https://www.googleapis.com/oauth2/v3/certs'

/** Google. */
export const search = {
  displayName: { en: 'Google', ja: 'Google' },
  supplies: listSuppliedItems(claims),
  credential: {
    fields: {
      access_token: 'access_token',
      refresh_token: 'refresh_token',
      expires_at: 'expires_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
    longAccessTokens: true,
  },
  chartColor: 'yellow.7',
  button: {
    label: { en: 'Sign in with Google', ja: 'Googleでログイン' },
    light: { background: '#ffffff', text: '#1f1f1f', border: '#747775' },
    dark: { background: '#131314', text: '#e3e3e3', border: '#8e918f' },
  },
  logo: {
    elements: `
  <path fill="#4285f4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"/>
  <path fill="#34a853" d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"/>
  <path fill="#fbbc05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24s.92 7.54 2.56 10.78l7.97-6.19z"/>
  <path fill="#ea4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/>`,
  },
  consoleUrl: 'https://console.cloud.google.com/auth/clients',
  clientSecret: 'text',
  options: {
    app_client_ids: appClientIds,
    /** What a notice about a disabled account does, with which someone else may be logged in. */
    disabled_accounts: { type: 'choice', values: ['end_sessions', 'block'], default: 'end_sessions' },
  },
  webhooks: ['events'],
  documentation: {
    service: 'Google, OpenID Connect',
    email: 'if the provider says so',
    accessToken: '1 hour',
    refresh: 'with a refresh token, which the provider issues at the first consent only',
    revocation: 'revokes the grant with all of its tokens',
    quirks: [
      'A login through `search` also finds accounts that are linked as `search_legacy`.',
      'With Cross-Account Protection, the provider reports accounts that were taken over or disabled: their sessions end. With the option `disabled_accounts=block`, users of disabled accounts are also blocked until the account is enabled again.',
      'Native apps log in with an ID Token or access token. List their client IDs in the option `app_client_ids`.',
    ],
  },
  protocols: [
    {
      type: 'oidc',
      issuer,
      endpoints: {
        authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
        token: 'https://oauth2.googleapis.com/token',
        userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
      },
      idToken: { alg: 'RS256', jwks },
      usesPkce: true,
      // The provider issues a refresh token at the first consent only; we store that one.
      parameters: { access_type: 'offline' },
      passedParameters: { login_hint: {} },
      // It does not support `login`; the closest prompt lets the end user choose an account. `consent` is for messaging
      // only.
      prompts: { login: { prompt: 'select_account' }, select_account: { prompt: 'select_account' } },
      // It requires `profile` or `email` in addition to `openid`.
      scopes: { always: ['openid'], profile: ['profile'], email: ['email'], otherwise: ['profile'] },
      claims,
      revocation: { endpoint: 'https://oauth2.googleapis.com/revoke', tokens: 'one', isAnonymous: true },
    },
  ],
  // If an app requests an ID Token for a server, the server's client is the audience, and the app's the authorized
  // party.
  native: { idToken: { alg: 'RS256', jwks, issuer, otherIssuers: ['accounts.google.com'] } },
} as const satisfies LoginProviderDescription
