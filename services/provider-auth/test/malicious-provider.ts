import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'

type Claims = Record<string, unknown>
interface Key {
  readonly alg: string
  readonly key: CryptoKey | Uint8Array
  readonly kid?: string | undefined
}

/** How a provider of the test deviates from the protocol; everything else is correct. */
export interface Forgery {
  /** Changes the callback's parameters. */
  readonly returns?: (parameters: URLSearchParams) => void
  /** Changes the ID Token's claims before it is signed; undefined values are left out. */
  readonly claims?: (claims: Claims) => Claims
  /** Signs with another key, or has another `kid` in the header. */
  readonly key?: (keys: ProviderAndAttackerKeys) => Key | Promise<Key>
  /** Changes the ID Token that was signed. */
  readonly id_token?: (idToken: string) => string | undefined
  readonly token?: (original: Claims) => Claims
  readonly userinfo?: (claims: Claims) => Claims
  readonly jwks?: (keys: object[]) => object
  /** Replaces the response of a step: `token`, `userinfo`, `certs`, `profile`, `status`, `exchange`. */
  readonly instead?: Readonly<Record<string, (response: ServerResponse) => void>>
}

/** Paths whose last part differs from the step's name. */
const steps = new Map([
  ['auth', 'authorize'],
  ['authorization', 'authorize'],
  ['attribute', 'userinfo'],
  ['jwks', 'certs'],
  ['keys', 'certs'],
  ['oauth', 'authorize'],
  ['access_token', 'token'],
  ['me', 'userinfo'],
])

/** Keys of the provider and of an attacker. */
export interface ProviderAndAttackerKeys {
  readonly secret: string
  readonly client_id: string
  readonly rsa: { readonly private: CryptoKey; readonly public: CryptoKey; readonly kid: string }
  /** The same key, made for RS384. */
  readonly rs384: CryptoKey | Uint8Array
  readonly foreign: { readonly rsa: CryptoKey; readonly ec: CryptoKey }
}

export interface MaliciousProvider extends AsyncDisposable {
  readonly url: string
  forgery: Forgery
  /** Number of requests by step. */
  readonly requestCounts: Map<string, number>
}

/** Starts the providers at one address, without pages: every login succeeds. */
export async function startMaliciousProvider(): Promise<MaliciousProvider> {
  const [rsa, foreignRsa, foreignEc] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
    generateKeyPair('ES256'),
  ])
  const kid = 'key-1'
  const jwk = { ...(await exportJWK(rsa.publicKey)), kid, alg: 'RS256', use: 'sig' }
  const rs384 = await importJWK(await exportJWK(rsa.privateKey), 'RS384')
  const nonces = new Map<string, string>()

  // The longest access token, which is sent in a header.
  const server = createServer({ maxHeaderSize: 131_072 }, (request, response) => void handleRequest(request, response))
  const maliciousProvider: MaliciousProvider = {
    url: '',
    forgery: {},
    requestCounts: new Map(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', maliciousProvider.url)
    const [provider = ''] = pathname.slice(1).split('/')
    const issuer = `${maliciousProvider.url}/${provider}${provider === 'portal' ? '/yconnect/v2' : ''}`
    const last = pathname.split('/').at(-1) ?? ''
    const form = new URLSearchParams(await text(request))
    const exchanges = form.get('grant_type') === 'fb_exchange_token'
    const step = exchanges ? 'exchange' : (steps.get(last) ?? last)
    maliciousProvider.requestCounts.set(step, (maliciousProvider.requestCounts.get(step) ?? 0) + 1)
    const { forgery } = maliciousProvider
    const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const instead = forgery.instead?.[step]
    if (instead) return instead(response)

    if (step === 'authorize') {
      const code = `code-${nonces.size}`
      nonces.set(code, searchParams.get('nonce') ?? '')
      const callbackUrl = new URL(searchParams.get('redirect_uri') ?? '')
      callbackUrl.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer }).toString()
      if (provider !== 'search') callbackUrl.searchParams.delete('iss')
      if (provider === 'device')
        callbackUrl.searchParams.set('user', '{"name":{"firstName":"Person","lastName":"One"}}')
      forgery.returns?.(callbackUrl.searchParams)
      if (provider === 'device') response.setHeader('content-type', 'text/html').end(buildForm(callbackUrl))
      else response.writeHead(302, { location: callbackUrl.href }).end()
    } else if (step === 'exchange') {
      json({ access_token: 'long-token-of-person-1', token_type: 'bearer', expires_in: 5_183_944 })
    } else if (step === 'token' && provider === 'social') {
      const tokens = { access_token: 'token-of-person-1', token_type: 'bearer', expires_in: 3_600 }
      json(forgery.token?.(tokens) ?? tokens)
    } else if (step === 'userinfo' && provider === 'social') {
      const body = { id: 'person-1', name: 'Person One' }
      json(forgery.userinfo?.(body) ?? body)
    } else if (step === 'token') {
      const { client_id, secret } = readClient(request, form)
      const keys: ProviderAndAttackerKeys = {
        secret,
        client_id,
        rs384,
        rsa: { private: rsa.privateKey, public: rsa.publicKey, kid },
        foreign: { rsa: foreignRsa.privateKey, ec: foreignEc.privateKey },
      }
      const now = Math.floor(Date.now() / 1_000)
      const validClaims = {
        iss: issuer,
        sub: 'person-1',
        aud: client_id,
        iat: now,
        exp: now + 3_600,
        name: 'Person One',
        ...(provider === 'device' && { email: 'person@one.example', email_verified: 'true' }),
        nonce: nonces.get(form.get('code') ?? ''),
      }
      const ownKey: Key =
        provider === 'messaging'
          ? { alg: 'HS256', key: new TextEncoder().encode(secret) }
          : { alg: 'RS256', key: rsa.privateKey, kid }
      const key = (await forgery.key?.(keys)) ?? ownKey
      const claims: JWTPayload = { ...(forgery.claims?.(validClaims) ?? validClaims) }
      const signed = await new SignJWT(claims)
        .setProtectedHeader({ alg: key.alg, ...(key.kid !== undefined && { kid: key.kid }) })
        .sign(key.key)
      const idToken = forgery.id_token ? forgery.id_token(signed) : signed
      const tokens = { access_token: 'token-of-person-1', token_type: 'Bearer', expires_in: 3_600, id_token: idToken }
      json(forgery.token?.(tokens) ?? tokens)
    } else if (step === 'userinfo') {
      const body = { sub: 'person-1', name: 'Person One' }
      json(forgery.userinfo?.(body) ?? body)
    } else if (step === 'certs') json(forgery.jwks?.([jwk]) ?? { keys: [jwk] })
    else if (step === 'profile') json({ userId: 'person-1', displayName: 'Person One', statusMessage: 'hello' })
    else if (step === 'status') json({ friendFlag: true })
    else response.writeHead(404).end()
  }

  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port.')
  return Object.assign(maliciousProvider, { url: `http://localhost:${address.port}` })
}

/** The page that submits the parameters of a URL as a form. */
function buildForm({ origin, pathname, searchParams }: URL): string {
  const encode = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const inputs = [...searchParams].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${encode(value)}">`,
  )
  return `<form id="form-post" method="post" action="${origin}${pathname}">${inputs.join('')}</form>`
}

/** The client, by Basic authentication or form parameters. */
function readClient({ headers }: IncomingMessage, form: URLSearchParams): { client_id: string; secret: string } {
  const encoded = headers.authorization?.replace('Basic ', '')
  if (encoded === undefined) {
    return { client_id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' }
  }
  const [clientId = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return { client_id: clientId, secret }
}
