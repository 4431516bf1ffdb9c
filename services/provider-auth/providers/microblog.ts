import { ResponseBodyError } from 'openid-client'
import type { ProfileItem } from '#contracts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { readAccountOfV1, readAccountOfV2 } from './microblog-account.ts'
import { oauth1 } from './oauth1.ts'
import type { OAuth1Description } from './oauth1-description.ts'
import { oauth2 } from './oauth2.ts'
import type { OAuth2Description } from './oauth2-description.ts'
import { type Adapter, type Manifest, ProviderFailure, ReauthNeeded } from './provider.ts'

const provider = 'microblog'

const manifest: Manifest = {
  service: 'X, OAuth 1.0a or OAuth 2.0',
  protocol: 'OAuth 1.0a',
  id_token_alg: null,
  email: 'always: the provider tells confirmed addresses alone',
  access_token: 'without end; with OAuth 2.0 2 hours',
  refresh: 'not needed; with OAuth 2.0 by a refresh token that is replaced at every use',
  leaving: 'the access token is invalidated; with OAuth 2.0 access and refresh token are revoked',
  quirks: [
    'OAuth 1.0a is spoken unless the option `protocol` of the provider settings is `oauth2`; client id and secret are then those of OAuth 2.0.',
    'The credential object has the token and secret of OAuth 1.0a; with OAuth 2.0 the secret is null.',
    'The e-mail address needs a permission in the provider’s console; people who authorized earlier have to do so again.',
    'Register the callback without a query at the provider.',
    'Every login that reads the profile may cost money there.',
  ],
}

const accountOfV2 = 'https://api.x.com/2/users/me'

const fieldsOfV2 = (requested: readonly ProfileItem[]) => ({
  'user.fields': [
    ...(requested.includes('email') ? ['confirmed_email'] : []),
    ...(requested.includes('user_name')
      ? ['description,entities,location,profile_image_url,public_metrics,url,verified,verified_type']
      : []),
  ].join(','),
})

/** Its tokens, without end and with a secret, are what the specification's credential object holds. */
export const microblogOverOAuth1: OAuth1Description = {
  provider,
  manifest,
  endpoints: {
    request_token: 'https://api.x.com/oauth/request_token',
    authorization: 'https://api.x.com/oauth/authenticate',
    access_token: 'https://api.x.com/oauth/access_token',
    invalidation: 'https://api.x.com/1.1/oauth/invalidate_token.json',
  },
  prompts: { login: { force_login: 'true' }, select_account: { force_login: 'true' } },
  // Not every plan of the provider includes the first; the second takes these tokens too.
  people: (requested) => [
    {
      endpoint: addressOf('https://api.x.com/1.1/account/verify_credentials.json', {
        include_email: String(requested.includes('email')),
        skip_status: 'true',
      }),
      read: readAccountOfV1,
    },
    { endpoint: addressOf(accountOfV2, fieldsOfV2(requested)), read: readAccountOfV2 },
  ],
  token_is_over: 89,
}

export const microblogOverOAuth2: OAuth2Description = {
  provider,
  manifest,
  issuer: 'https://x.com',
  endpoints: {
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    revocation: 'https://api.x.com/2/oauth2/revoke',
  },
  // Its secrets hold characters that would be encoded, and its documentation does not encode them.
  client_authentication: 'raw_basic',
  pkce: true,
  always: {},
  passes: {},
  prompts: {},
  scopesToAsk: (granted) => [
    ...['users.read', 'tweet.read', 'offline.access'],
    ...(granted.includes('email') ? ['users.email'] : []),
  ],
  person: {
    endpoint: accountOfV2,
    parameters: (requested) => (requested.length === 0 ? {} : fieldsOfV2(requested)),
    read: readAccountOfV2,
  },
}

/** X, in the protocol that the provider settings choose. */
export const microblog: Adapter = {
  provider,
  manifest,
  connect(connection) {
    const overOauth1 = oauth1(microblogOverOAuth1).connect(connection)
    const overOauth2 = oauth2(microblogOverOAuth2).connect(connection)
    const chosenBy = ({ options }: Pick<ProviderSettings, 'options'>) =>
      options.protocol === 'oauth2' ? overOauth2 : overOauth1
    return {
      provider,
      passes: {},
      knowsMaxAge: false,
      begin: (login, asked) => chosenBy(login.settings).begin(login, asked),
      finish: (login, returned) => chosenBy(login.settings).finish(login, returned),
      async refresh(settings, held) {
        // Tokens with a secret have no end, whatever protocol the settings have come to choose.
        if (held.access_secret !== null) return held
        if (overOauth2.refresh === undefined) throw new ReauthNeeded()
        return overOauth2.refresh(settings, held).catch(throwReauthNeeded)
      },
      async leave(settings, held) {
        await (held.access_secret === null ? overOauth2 : overOauth1).leave?.(settings, held)
      },
    }
  },
}

/** To a refresh token that is over the provider answers `invalid_request`: nothing else in the request could be invalid. */
function throwReauthNeeded(error: unknown): never {
  const answered = error instanceof ProviderFailure ? error.cause : undefined
  const isOver = answered instanceof ResponseBodyError && answered.error === 'invalid_request'
  throw isOver ? new ReauthNeeded({ cause: error }) : error
}

function addressOf(endpoint: string, query: Readonly<Record<string, string>>): string {
  return `${endpoint}?${new URLSearchParams(query)}`
}
