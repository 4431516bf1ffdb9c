import { ResponseBodyError } from 'openid-client'
import type { ProfileItem } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { parseAccountV1, parseAccountV2 } from './microblog-account.ts'
import { oauth1 } from './oauth1.ts'
import type { OAuth1Description } from './oauth1-description.ts'
import { oauth2 } from './oauth2.ts'
import type { OAuth2Description } from './oauth2-description.ts'
import { type Adapter, type ProviderManifest, ProviderRequestFailed, ReauthenticationRequired } from './provider.ts'

const provider = 'microblog'

const manifest: ProviderManifest = {
  service: 'X, OAuth 1.0a or OAuth 2.0',
  protocol: 'OAuth 1.0a',
  id_token_alg: null,
  email: 'always, because the provider returns only confirmed addresses',
  access_token: 'does not expire; with OAuth 2.0: 2 hours',
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
}

const accountV2Endpoint = 'https://api.x.com/2/users/me'

const toV2Fields = (requested: readonly ProfileItem[]) => ({
  'user.fields': [
    ...(requested.includes('email') ? ['confirmed_email'] : []),
    ...(requested.includes('user_name')
      ? ['description,entities,location,profile_image_url,public_metrics,url,verified,verified_type']
      : []),
  ].join(','),
})

/** These tokens have a secret and do not expire, as in the specification's credential object. */
export const microblogOAuth1: OAuth1Description = {
  provider,
  manifest,
  endpoints: {
    request_token: 'https://api.x.com/oauth/request_token',
    authorization: 'https://api.x.com/oauth/authenticate',
    access_token: 'https://api.x.com/oauth/access_token',
    invalidation: 'https://api.x.com/1.1/oauth/invalidate_token.json',
  },
  prompts: { login: { force_login: 'true' }, select_account: { force_login: 'true' } },
  // Not every plan of the provider includes the first resource; the second also accepts these tokens.
  userResources: (requested) => [
    {
      endpoint: withQuery('https://api.x.com/1.1/account/verify_credentials.json', {
        include_email: String(requested.includes('email')),
        skip_status: 'true',
      }),
      read: parseAccountV1,
    },
    { endpoint: withQuery(accountV2Endpoint, toV2Fields(requested)), read: parseAccountV2 },
  ],
  invalidTokenCode: 89,
}

export const microblogOAuth2: OAuth2Description = {
  provider,
  manifest,
  issuer: 'https://x.com',
  endpoints: {
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    revocation: 'https://api.x.com/2/oauth2/revoke',
  },
  // Its secrets contain characters that would be encoded, and its documentation does not encode them.
  client_authentication: 'raw_basic',
  supportsPkce: true,
  fixedParameters: {},
  passedParameters: {},
  prompts: {},
  toProviderScopes: (granted) => [
    ...['users.read', 'tweet.read', 'offline.access'],
    ...(granted.includes('email') ? ['users.email'] : []),
  ],
  userResource: {
    endpoint: accountV2Endpoint,
    parameters: (requested) => (requested.length === 0 ? {} : toV2Fields(requested)),
    read: parseAccountV2,
  },
}

/** X, with the protocol that the provider settings select. */
export const microblogAdapter: Adapter = {
  provider,
  manifest,
  connect(connection) {
    const oauth1Client = oauth1(microblogOAuth1).connect(connection)
    const oauth2Client = oauth2(microblogOAuth2).connect(connection)
    const clientFor = ({ options }: Pick<SiteProviderSettings, 'options'>) =>
      options.protocol === 'oauth2' ? oauth2Client : oauth1Client
    return {
      provider,
      passedParameters: {},
      supportsMaxAge: false,
      startLogin: (login, request) => clientFor(login.settings).startLogin(login, request),
      finishLogin: (login, returned) => clientFor(login.settings).finishLogin(login, returned),
      ...(oauth1Client.verifyAppLogin && { verifyAppLogin: oauth1Client.verifyAppLogin }),
      async refresh(settings, tokens) {
        // Tokens with a secret do not expire, whichever protocol the settings select now.
        if (tokens.access_secret !== null) return tokens
        if (oauth2Client.refresh === undefined) throw new ReauthenticationRequired()
        return oauth2Client.refresh(settings, tokens).catch(throwReauthenticationRequired)
      },
      async revoke(settings, tokens) {
        await (tokens.access_secret === null ? oauth2Client : oauth1Client).revoke?.(settings, tokens)
      },
    }
  },
}

/** The provider reports an invalid refresh token as `invalid_request`: nothing else in the request could be invalid. */
function throwReauthenticationRequired(error: unknown): never {
  const response = error instanceof ProviderRequestFailed ? error.cause : undefined
  const isGrantInvalid = response instanceof ResponseBodyError && response.error === 'invalid_request'
  throw isGrantInvalid ? new ReauthenticationRequired({ cause: error }) : error
}

function withQuery(endpoint: string, query: Readonly<Record<string, string>>): string {
  return `${endpoint}?${new URLSearchParams(query)}`
}
