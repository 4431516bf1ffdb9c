import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An OpenID provider that authenticates every request as the user that the test sets. */
export interface TestProvider extends AsyncDisposable {
  readonly url: string
  /** The user, and invalid claims to send. */
  user: {
    sub: string
    auth_time?: Date
    nonce?: string
    audience?: string
    azp?: string
    issued_in_seconds?: number
    forged?: boolean
    /** Further claims of the ID Token, and of userinfo. */
    claims?: Readonly<Record<string, unknown>>
    userinfo?: Readonly<Record<string, unknown>>
  }
  /** What the discovery document says differently. */
  metadata: Readonly<Record<string, unknown>>
  /** Paths of the requests that the provider received, in their order. */
  readonly requests: string[]
  /** The parameters of the last authorization request. */
  lastRequest: URLSearchParams
}

export async function startTestProvider(client: { client_id: string }): Promise<TestProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }
  const nonces = new Map<string, string>()
  const server = createServer((request, response) => void respond(request, response)).listen(0)
  await once(server, 'listening')
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const provider: TestProvider = {
    url,
    user: { sub: 'nobody' },
    metadata: {},
    requests: [],
    lastRequest: new URLSearchParams(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    provider.requests.push(pathname)
    const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') {
      json({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...provider.metadata,
      })
    } else if (pathname === '/jwks') json({ keys: [jwk] })
    else if (pathname === '/userinfo') json({ sub: provider.user.sub, ...provider.user.userinfo })
    else if (pathname === '/authorize') {
      provider.lastRequest = searchParams
      const code = `code-${nonces.size}`
      nonces.set(code, searchParams.get('nonce') ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
      response.writeHead(302, { location: back.href }).end()
    } else {
      const form = new URLSearchParams(await text(request))
      const {
        sub,
        auth_time,
        nonce,
        audience = client.client_id,
        azp,
        issued_in_seconds = 0,
        forged,
        claims: further,
      } = provider.user
      const claims = {
        ...further,
        nonce: nonce ?? nonces.get(form.get('code') ?? ''),
        ...(azp !== undefined && { azp }),
        ...(auth_time === undefined ? {} : { auth_time: Math.floor(auth_time.getTime() / 1_000) }),
      }
      const idToken = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'key' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(sub)
        .setIssuedAt(Math.floor(Date.now() / 1_000) + issued_in_seconds)
        .setExpirationTime('5m')
        .sign(forged ? foreign.privateKey : privateKey)
      json({ access_token: 'a', token_type: 'Bearer', id_token: idToken })
    }
  }
  return provider
}
