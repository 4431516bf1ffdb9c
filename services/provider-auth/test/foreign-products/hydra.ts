import { once } from 'node:events'
import { createServer } from 'node:http'
import { findFreePort } from '#local'
import { type ForeignProduct, sendJson, startProcess } from './product.ts'

const email = 'hanako@hydra.example'

/** Ory Hydra, with an application of the test that accepts each login, consent and logout. */
export const hydra: ForeignProduct = {
  name: 'Hydra',
  program: process.env.HYDRA_PROGRAM,
  async start({ client_id, client_secret, callback, logout_return }) {
    const [port, adminPort, pagesPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const [issuer, admin, pages] = [port, adminPort, pagesPort].map((one) => `http://localhost:${one}`)
    await using starting = new AsyncDisposableStack()
    const accept = async (kind: 'login' | 'consent' | 'logout', challenge: string, body: object) => {
      const address = `${admin}/admin/oauth2/auth/requests/${kind}/accept?${kind}_challenge=${challenge}`
      return String(Reflect.get(Object(await sendJson('PUT', address, body)), 'redirect_to'))
    }
    const server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', pages)
      const respond = async (): Promise<string> => {
        const [login, consent] = [searchParams.get('login_challenge'), searchParams.get('consent_challenge')]
        if (login !== null) return accept('login', login, { subject: 'user-1', remember: true })
        if (consent === null) return accept('logout', searchParams.get('logout_challenge') ?? '', {})
        return accept('consent', consent, {
          grant_scope: ['openid', 'email', 'profile', 'offline_access'],
          session: { id_token: { email, email_verified: true, name: 'Hanako Yamada' } },
        })
      }
      respond().then(
        (location) => response.writeHead(302, { location }).end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    }).listen(pagesPort)
    await once(server, 'listening')
    starting.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    starting.use(
      await startProcess({
        title: 'Hydra',
        command: hydra.program ?? '',
        args: () => ['serve', 'all', '--dev', '--sqa-opt-out'],
        environment: {
          DSN: 'memory',
          URLS_SELF_ISSUER: issuer ?? '',
          URLS_LOGIN: `${pages}/login`,
          URLS_CONSENT: `${pages}/consent`,
          URLS_LOGOUT: `${pages}/logout`,
          SERVE_PUBLIC_PORT: String(port),
          SERVE_ADMIN_PORT: String(adminPort),
          SECRETS_SYSTEM: 'a-secret-of-a-test-only',
          OAUTH2_EXPOSE_INTERNAL_ERRORS: 'true',
        },
        readyAt: `${admin}/health/ready`,
      }),
    )
    await sendJson('POST', `${admin}/admin/clients`, {
      client_id,
      client_secret,
      redirect_uris: [callback],
      post_logout_redirect_uris: [logout_return],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid email profile offline_access',
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const stack = starting.move()
    return {
      issuer: issuer ?? '',
      email,
      answers: {},
      // Refresh tokens are for `offline_access` only.
      protocol: { scopes: { always: ['openid', 'offline_access'], address: [], phone: [] } },
      endsSessions: true,
      async rotateKeys() {
        await sendJson('POST', `${admin}/admin/keys/hydra.openid.id-token`, {
          alg: 'RS256',
          use: 'sig',
          kid: crypto.randomUUID(),
        })
      },
      async isActive(token) {
        const response = await fetch(`${admin}/admin/oauth2/introspect`, {
          method: 'POST',
          body: new URLSearchParams({ token }),
        })
        return Reflect.get(Object(await response.json()), 'active') === true
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  },
}
