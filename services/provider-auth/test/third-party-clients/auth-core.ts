import { z } from 'zod'
import type { SeededProvider, SharedStack } from '#testing'

interface AuthCore {
  readonly Auth: (request: Request, config: object) => Promise<Response>
  readonly customFetch: symbol
  readonly skipCSRFCheck: symbol
}

/**
 * A variable, so that the compiler does not load the package's types, which would add the browser's types to every
 * file.
 */
const packageName: string = '@auth/core'
const { Auth, customFetch, skipCSRFCheck }: AuthCore = await import(packageName)

const Session = z.looseObject({ user: z.object({ id: z.string(), name: z.string() }) }).nullable()

/** The callback of @auth/core. */
export const authCoreCallback = 'http://localhost/auth/callback/social-login'

interface Application {
  readonly client: { readonly client_id: string; readonly client_secret: string }
  readonly provider: SeededProvider
  /** Changes the token endpoint's response. */
  readonly alter?: (tokens: Record<string, unknown>) => Record<string, unknown>
}

/** The part of the callbacks' arguments that we use. */
interface Jwt {
  readonly token: { readonly sub?: string }
  readonly account?: { readonly providerAccountId: string } | null
  readonly session?: { readonly user: object }
}

/** A browser at an application with @auth/core, which uses discovery for everything except the provider's path. */
export function openAuthCoreApplication({ auth }: SharedStack, { client, provider, alter }: Application) {
  const config = {
    secret: 'a secret of the application',
    basePath: '/auth',
    trustHost: true,
    skipCSRFCheck,
    // The errors are expected and need not be logged.
    logger: { error() {}, warn() {} },
    callbacks: {
      // Its session identifies the user by our `sub`.
      jwt: ({ token, account }: Jwt) => ({ ...token, ...(account && { sub: account.providerAccountId }) }),
      session: ({ session, token }: Jwt) => ({ ...session, user: { ...session?.user, id: token.sub } }),
    },
    providers: [
      {
        id: 'social-login',
        name: 'Social login',
        type: 'oidc',
        issuer: auth,
        clientId: client.client_id,
        clientSecret: client.client_secret,
        authorization: { url: provider.authorize_uri, params: { scope: 'openid profile' } },
        checks: ['pkce', 'state', 'nonce'],
        // An ID Token of the code flow has no profile, so userinfo is requested.
        idToken: false,
        profile: ({ sub, name }: Record<string, unknown>) => ({ id: sub, name }),
        [customFetch]: async (...request: Parameters<typeof fetch>) => {
          const response = await fetch(...request)
          if (alter === undefined || !response.url.endsWith('/oauth2/token')) return response
          return Response.json(alter(z.looseObject({}).parse(await response.json())))
        },
      },
    ],
  }
  const cookies = new Map<string, string>()
  const open = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await Auth(new Request(address, { ...init, headers: { cookie } }), config)
    for (const field of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
      cookies.set(name, value)
    }
    return response
  }
  return {
    /** Starts a login; returns the authorization URL. */
    async startLogin(): Promise<string> {
      const response = await open('http://localhost/auth/signin/social-login', { method: 'POST' })
      return response.headers.get('location') ?? ''
    },
    open,
    /** The user that the application identified. */
    async readUser() {
      const response = await open('http://localhost/auth/session')
      return Session.parse(await response.json())?.user
    },
  }
}
