import type { Deployment, UserName } from './deployment.ts'

/** A request that changes nothing. */
export interface ComparedRequest {
  readonly title: string
  /** Undefined if the deployment lacks what the request needs. */
  readonly build: (deployment: Deployment) => BuiltRequest | undefined
  /** A successful response contains no data of users, so that its values can be printed. */
  readonly isPublic?: boolean
}

export interface BuiltRequest {
  readonly address: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

const unknownUser = '0'.repeat(40)

/** The requests of a comparison: reading operations, discovery, and errors. */
export function listRequests(users: readonly UserName[]): readonly ComparedRequest[] {
  return [
    {
      title: 'discovery document',
      isPublic: true,
      build: ({ auth_url }) => ({ address: `${auth_url}/.well-known/openid-configuration` }),
    },
    { ...webApi('appinfo', {}), isPublic: true },
    { ...webApi('providers', {}), isPublic: true },
    webApi('users', { limit: '5' }),
    ...users.flatMap((user, index) => listUserRequests(user, `user ${index + 1}`)),
    { title: 'appinfo, without a key', build: ({ web_api_url }) => ({ address: `${web_api_url}/api/appinfo` }) },
    {
      title: 'appinfo, wrong key',
      build: ({ web_api_url }) => ({ address: `${web_api_url}/api/appinfo?key=unknown` }),
    },
    webApi('unknown_operation', {}, 'unknown operation'),
    webApi('user_attribute', {}, 'without a user'),
    webApi('user_attribute', { identifier: unknownUser }, 'unknown user'),
    webApi('profile_from_providers', { identifier: unknownUser }, 'without target_provider'),
    webApi('users', { limit: '0' }, 'limit of 0'),
    webApi('users', { created_within: 'soon' }, 'malformed period'),
    webApi('authenticated_user', { token: 'unknown' }, 'unknown token'),
    token('without parameters', () => ({})),
    token('unknown client', () => ({ ...code, client_id: 'unknown', client_secret: 'wrong' })),
    token('wrong client secret', ({ client_id }) => client_id && { ...code, client_id, client_secret: 'wrong' }),
    token('unknown code', (deployment) => withClient(deployment, code)),
    token('unknown grant_type', (deployment) => withClient(deployment, { grant_type: 'password' })),
    userinfo('without a token', () => ({})),
    userinfo('unknown token', () => ({ authorization: 'Bearer unknown' })),
    userinfo('expired token', ({ expired_access_token: expired }) => expired && { authorization: `Bearer ${expired}` }),
  ]
}

/** Without `user_attribute`, which may refresh tokens at a login provider. */
function listUserRequests(user: UserName, title: string): ComparedRequest[] {
  return ['profile', 'providers_of_user'].map((operation) => webApi(operation, user, title))
}

function webApi(operation: string, parameters: Readonly<Record<string, string>>, about?: string): ComparedRequest {
  return {
    title: about === undefined ? operation : `${operation}, ${about}`,
    build: ({ web_api_url, api_key }) => ({
      address: `${web_api_url}/api/${operation}?${new URLSearchParams({ key: api_key, ...parameters })}`,
    }),
  }
}

type Optional<T> = T | '' | undefined

function token(title: string, toForm: (deployment: Deployment) => Optional<Record<string, string>>): ComparedRequest {
  return {
    title: `token endpoint, ${title}`,
    build(deployment) {
      const form = toForm(deployment)
      return form ? { address: `${deployment.auth_url}/oauth2/token`, form } : undefined
    },
  }
}

function userinfo(
  title: string,
  toHeaders: (deployment: Deployment) => Optional<Record<string, string>>,
): ComparedRequest {
  return {
    title: `userinfo, ${title}`,
    build(deployment) {
      const headers = toHeaders(deployment)
      return headers ? { address: deployment.userinfo_url, headers } : undefined
    },
  }
}

const code = { grant_type: 'authorization_code', code: 'unknown', redirect_uri: 'https://example.com/' }

function withClient({ client_id, client_secret }: Deployment, form: Readonly<Record<string, string>>) {
  return client_id !== undefined && client_secret !== undefined ? { ...form, client_id, client_secret } : undefined
}
