import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { Fault, type ProviderSettings } from '#contracts'

import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

type Respond = (response: ServerResponse, url: string, path: string) => void

const documentOf = (url: string, changes: object = {}) =>
  JSON.stringify({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    ...changes,
  })

/** Saves a provider whose discovery document is answered so, and returns the settings, or why they are rejected. */
async function discover(provider: string, respond: Respond, suffix = ''): Promise<ProviderSettings | string> {
  const server = createServer((request, response) => respond(response, url, request.url ?? '')).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const { account, site_id } = site
  const settings = {
    site: site.site,
    account,
    site_id,
    provider,
    expected_revision: 0,
    client_id: 'c',
    client_secret: 's',
    definition: { display_name: { en: 'Odd' }, protocol: { type: 'oidc', issuer: url + suffix } },
  } as const
  return serviceStack.provider_auth.changeProviderSettings(settings, serviceStack.call()).catch((error: unknown) => {
    if (error instanceof Fault) return error.fields.map(({ field, reason }) => `${field} ${reason}`).join('\n')
    throw error
  })
}

test.each<[string, string, Respond, RegExp]>([
  ['html', 'a page', (response) => response.end('<p>Hello</p>'), /it is no JSON object/],
  ['redirect', 'a redirect', (response, url) => response.writeHead(302, { location: url }).end(), /returned 302/],
  ['missing', 'status 404', (response) => response.writeHead(404).end(), /returned 404/],
  ['large', '50 MB', (response) => response.end('x'.repeat(50 * 1024 * 1024)), /could not be read/],
  ['closed', 'a closed connection', (response) => response.destroy(), /could not be read/],
  [
    'partial',
    'a document without a token endpoint',
    (response, url) => response.end(documentOf(url, { token_endpoint: undefined })),
    /token_endpoint is missing or invalid/,
  ],
  [
    'inside',
    'an address that is not public',
    (response, url) => response.end(documentOf(url, { jwks_uri: 'http://169.254.169.254/keys' })),
    /endpoints\.jwks is http:\/\/169\.254\.169\.254\/keys, which is not a public https address/,
  ],
  [
    'plain',
    'no S256',
    (response, url) => response.end(documentOf(url, { code_challenge_methods_supported: ['plain'] })),
    /protocol\.pkce must be one that the provider supports: plain/,
  ],
])('for %s, %s is rejected', async (provider, _, respond, reason) => {
  expect(await discover(provider, respond)).toMatch(reason)
})

const key = { kty: 'RSA', n: 'AQAB', e: 'AQAB' }
const keySet = (...keys: object[]) => JSON.stringify({ keys })

test.each<[string, string, (response: ServerResponse, url: string) => void, RegExp]>([
  ['no_keys', 'a page', (response) => response.end('<p>Hello</p>'), /what .* returned is none/],
  ['lost_keys', 'status 404', (response) => response.writeHead(404).end(), /returned 404/],
  ['moved_keys', 'a redirect', (response, url) => response.writeHead(302, { location: url }).end(), /returned 302/],
  ['large_keys', '50 MB', (response) => response.end('x'.repeat(50 * 1024 * 1024)), /could not be read/],
  ['other_keys', 'keys of another type', (response) => response.end(keySet({ kty: 'EC' })), /has no key for RS256/],
  [
    'secret_keys',
    'keys for encryption',
    (response) => response.end(keySet({ ...key, use: 'enc' })),
    /has no key for RS256/,
  ],
])('for %s, a key set that is %s is rejected', async (provider, _, respond, reason) => {
  const rejected = await discover(provider, (response, url, path) =>
    path === '/jwks' ? respond(response, url) : response.end(documentOf(url)),
  )
  expect(rejected).toMatch(/^definition\.protocol\.endpoints\.jwks /)
  expect(rejected).toMatch(reason)
})

test('an issuer can end with a slash, as in its document', async () => {
  const saved = await discover(
    'slash',
    (response, url, path) => response.end(path === '/jwks' ? keySet(key) : documentOf(url, { issuer: `${url}/` })),
    '/',
  )
  expect(saved).toMatchObject({ provider: 'slash', missing: [] })
})
