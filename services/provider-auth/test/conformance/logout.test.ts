import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hiddenFields, openTestBrowser, type TestBrowser } from '../browser.ts'
import { flows } from './flows.ts'
import { relyingParty } from './relying-party.ts'
import { openSuite, redirectUris, type Suite } from './suite.ts'

const postLogoutRedirectUri = 'https://shop.example.com/post_logout_redirect'

let suite: Suite
let endSessionEndpoint: string
beforeAll(async () => {
  suite = await openSuite()
  const { serviceStack, site, metadata } = suite
  const { provider_auth, call } = serviceStack
  const { client_id } = site.client
  const postLogoutRedirectUris = [postLogoutRedirectUri, redirectUris[1]]
  await provider_auth.changeClient(
    { site: site.site, client_id, expected_revision: 1, post_logout_redirect_uris: postLogoutRedirectUris },
    call(),
  )
  endSessionEndpoint = z.object({ end_session_endpoint: z.url() }).parse(metadata).end_session_endpoint
})

test('oidcc-rp-initiated-logout-discovery-endpoint-verification: the metadata name the endpoint', () => {
  expect(endSessionEndpoint).toBe(`${suite.metadata.issuer}/oauth2/logout`)
})

/** One flow for each response type, because the logout does not depend on the login. */
const someFlows = flows.filter(
  ({ path, response_mode }) => (path === 'search' || path === 'choice') && response_mode === 'default',
)

describe.each(someFlows)('RP-Initiated Logout, $response_type by $response_mode through $path', (flow) => {
  /** The start of every module: a login, and a request with all three parameters or with changes. */
  const start = async (changes: (login: { id_token: string; claims: JWTPayload }) => Parameters) => {
    const browser = openTestBrowser()
    const login = await relyingParty(suite, flow).authenticate(
      { state: 'Aa0-._~'.repeat(19).slice(0, 128) },
      { browser },
    )
    const state = `end-${crypto.randomUUID()}~!@[]{}|^"<>`
    const parameters: Parameters = {
      id_token_hint: login.id_token,
      post_logout_redirect_uri: postLogoutRedirectUri,
      state,
      ...changes(login),
    }
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
    const response = await browser.open(`${endSessionEndpoint}?${query}`)
    return { browser, response, state }
  }
  type Parameters = Readonly<Record<string, string | undefined>>

  /** The end of every module: the end user is not logged in any more, checked with prompt=none. */
  const expectLoggedOut = async (browser: TestBrowser) => expect(await askSilently(browser)).toMatch(/_required$/)
  const expectLoggedIn = async (browser: TestBrowser) => expect(await askSilently(browser)).toBeNull()
  const askSilently = async (browser: TestBrowser) => {
    const party = relyingParty(suite, flow)
    return party.read(await party.request({ prompt: 'none' }, { browser })).get('error')
  }

  /** A confirmation page without a redirect: confirming it ends the session and shows our page. */
  const expectConfirmation = async (browser: TestBrowser, response: Response) => {
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
    const html = await response.text()
    expect(html).toContain('Log out')
    await expectLoggedIn(browser)
    const confirmed = await browser.open(endSessionEndpoint, hiddenFields(html))
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([200, null])
    expect(await confirmed.text()).toContain('You are logged out')
    await expectLoggedOut(browser)
  }

  test('oidcc-rp-initiated-logout: logs out and redirects to the application with the state', async () => {
    const { browser, response, state } = await start(() => ({}))
    const location = new URL(response.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe(postLogoutRedirectUri)
    expect([...location.searchParams]).toEqual([['state', state]])
    await expectLoggedOut(browser)
  })

  test('oidcc-rp-initiated-logout-no-state: redirects to the application without parameters', async () => {
    const { browser, response } = await start(() => ({ state: undefined }))
    expect(response.headers.get('location')).toBe(postLogoutRedirectUri)
    await expectLoggedOut(browser)
  })

  test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: an error page without a redirect', async () => {
    const bad = `${postLogoutRedirectUri.slice(0, -'post_logout_redirect'.length)}bad_post_logout_redirect_uri`
    const { browser, response } = await start(() => ({ post_logout_redirect_uri: bad }))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await response.text()).toContain('post_logout_redirect_uri is invalid.')
    await expectLoggedIn(browser)
  })

  test('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: an error page', async () => {
    const { response } = await start(() => ({ post_logout_redirect_uri: `${postLogoutRedirectUri}?foo=bar` }))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  test('oidcc-rp-initiated-logout-modified-id-token-hint: a confirmation without a redirect', async () => {
    const { browser, response } = await start(({ claims }) => ({ id_token_hint: new UnsecuredJWT(claims).encode() }))
    await expectConfirmation(browser, response)
  })

  test('oidcc-rp-initiated-logout-bad-id-token-hint: a confirmation without a redirect', async () => {
    const { client_id, client_secret } = suite.site.client
    const claims = { iss: client_id, sub: 'SubjectID', aud: suite.metadata.issuer, nonce: 'flibble' }
    const signed = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setExpirationTime('5m')
    const idTokenHint = await signed.sign(new TextEncoder().encode(client_secret))
    const { browser, response } = await start(() => ({ id_token_hint: idTokenHint }))
    await expectConfirmation(browser, response)
  })

  test('oidcc-rp-initiated-logout-no-id-token-hint: a confirmation without a redirect', async () => {
    const { browser, response } = await start(() => ({ id_token_hint: undefined }))
    await expectConfirmation(browser, response)
  })

  test('oidcc-rp-initiated-logout-no-params: logs out after confirmation', async () => {
    const none = { id_token_hint: undefined, post_logout_redirect_uri: undefined, state: undefined }
    const { browser, response } = await start(() => none)
    await expectConfirmation(browser, response)
  })

  test('oidcc-rp-initiated-logout-only-state: logs out after confirmation', async () => {
    const { browser, response } = await start(() => ({ id_token_hint: undefined, post_logout_redirect_uri: undefined }))
    await expectConfirmation(browser, response)
  })

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: logs out immediately', async () => {
    const { browser, response } = await start(() => ({ post_logout_redirect_uri: undefined }))
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
    expect(await response.text()).toContain('You are logged out')
    await expectLoggedOut(browser)
  })
})
