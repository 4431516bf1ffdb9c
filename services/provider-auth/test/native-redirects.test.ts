import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildAuthorizeUrl, logInWith } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const Tokens = z.object({ id_token: z.string() })

const { serviceStack, site } = createSiteFixture()

/** A public client with these redirect URIs. */
async function registerApp(...redirectUris: string[]): Promise<string> {
  const client = { site: site.site, name: 'app', kind: 'public', redirect_uris: redirectUris } as const
  const { client_id } = await serviceStack.provider_auth.registerClient(
    { ...client, redirect_uris: redirectUris },
    serviceStack.call(),
  )
  return client_id
}

const codeVerifier = randomBytes(32).toString('base64url')
const pkce = {
  code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  code_challenge_method: 'S256',
}

async function logInAt(clientId: string, redirectUri: string, changes: Record<string, string | undefined> = {}) {
  const request = { client_id: clientId, redirect_uri: redirectUri, ...pkce, ...changes }
  return logInWith(site, 'search', { parameters: request })
}

/** Exchanges the code, and returns the status. */
async function redeem(clientId: string, redirectUri: string, code: string | null) {
  const form = { grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirectUri, client_id: clientId }
  const body = new URLSearchParams({ ...form, code_verifier: codeVerifier })
  return fetch(`${serviceStack.auth}/oauth2/token`, { method: 'POST', body })
}

describe('an app returns to the port that its operating system chose', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback'],
    ['http://127.0.0.1:8400/callback', 'http://127.0.0.1:49153/callback'],
    ['http://[::1]/callback?keep=1', 'http://[::1]:49154/callback?keep=1'],
  ])('registered: %s, requested: %s', async (registered, requested) => {
    const clientId = await registerApp('https://app.example.com/', registered)
    const location = await logInAt(clientId, requested)
    expect(location.href.startsWith(requested)).toBe(true)
    const code = location.searchParams.get('code')
    const other = await redeem(clientId, registered, code)
    expect(other.status).toBe(400)
    const again = (await logInAt(clientId, requested)).searchParams.get('code')
    const { id_token } = Tokens.parse(await (await redeem(clientId, requested, again)).json())
    expect(decodeJwt(id_token).aud).toBe(clientId)
  })

  test('two registered ports keep theirs', async () => {
    const [first, second] = ['http://127.0.0.1:8401/callback', 'http://127.0.0.1:8402/callback']
    const clientId = await registerApp(first, second)
    for (const uri of [first, second]) expect((await logInAt(clientId, uri)).href.startsWith(uri)).toBe(true)
  })
})

test('an app returns by its private-use scheme', async () => {
  const uri = 'com.example.app:/callback'
  const clientId = await registerApp(uri)
  const location = await logInAt(clientId, uri)
  expect(location.href.startsWith(`${uri}?code=`)).toBe(true)
  expect((await redeem(clientId, uri, location.searchParams.get('code'))).status).toBe(200)
})

test.each(['com.example.app:/callback', 'http://127.0.0.1/callback'])('%s needs PKCE', async (uri) => {
  const clientId = await registerApp(uri)
  const without = { code_challenge: undefined, code_challenge_method: undefined }
  const address = buildAuthorizeUrl(site, 'search', { client_id: clientId, redirect_uri: uri, ...without })
  const response = await fetch(address, { redirect: 'manual' })
  expect(response.headers.get('location')).toContain('error_description=code_challenge%20is%20required.')
})
