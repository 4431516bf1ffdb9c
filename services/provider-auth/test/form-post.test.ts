import { createHash } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { builtInLoginProviders } from '#contracts'
import { builtInLanguages } from '../texts/page-languages.ts'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  getDenialError,
  logIn,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  readResponseForm,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'

/** The default comes first; the second one has a query and characters that HTML escapes. */
const redirectUris = [
  'https://shop.example.com/callback',
  "https://shop.example.com/it's?a=1&b=2",
  'https://shop.example.com:8443/callback',
  'http://127.0.0.1:3000/callback',
  'http://[::1]:3000/callback',
] as const

import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture({ redirect_uris: [...redirectUris] })

type Changes = Readonly<Record<string, string | undefined>>

const buildFormPostUrl = (changes: Changes = {}, provider: ProviderName = 'search') =>
  buildAuthorizeUrl(site, provider, { response_mode: 'form_post', ...changes })

/** Logs in at the provider and returns the response to the callback. */
async function logInByForm(
  browser: TestBrowser,
  address: string,
  signIn: Parameters<typeof submitProviderSignIn>[2] = {},
): Promise<Response> {
  return browser.open(await submitProviderSignIn(browser, await openRedirect(browser, address), signIn))
}

const readFields = async (response: Response) => (await readResponseForm(response)).fields

describe.each(builtInLoginProviders)('response_mode=form_post through %s', (provider) => {
  test('posts a code to the redirect URI, and the code is redeemed', async () => {
    const address = buildFormPostUrl({ nonce: 'n-1' }, provider)
    const form = await readResponseForm(await logInByForm(openTestBrowser(), address, { user: 'Ada King' }))
    expect(form).toEqual({
      action: site.client.redirect_uri,
      fields: {
        code: expect.stringMatching(/^slac_[\w-]{43}$/),
        state: 'state-of-the-application',
        iss: serviceStack.auth,
      },
    })
    const callback = new URL(`${form.action}?${new URLSearchParams(form.fields)}`)
    const { id_token } = await application.redeem(callback)
    expect(await application.verify(id_token)).toMatchObject({ nonce: 'n-1', provider })
  })

  test('posts an ID Token with the claims', async () => {
    const address = buildFormPostUrl({ response_type: 'id_token', nonce: 'n-1' }, provider)
    const { id_token = '', ...rest } = await readFields(await logInByForm(openTestBrowser(), address))
    expect(rest).toEqual({ state: 'state-of-the-application', iss: serviceStack.auth })
    const claims = await application.verify(id_token)
    expect(claims).toMatchObject({ nonce: 'n-1', provider, email: expect.stringContaining('@') })
    expect(claims).not.toHaveProperty('at_hash')
  })

  test('posts the provider\u2019s error if the end user denies', async () => {
    const denied = await logInByForm(openTestBrowser(), buildFormPostUrl({}, provider), { decision: 'deny' })
    expect(await readFields(denied)).toEqual({
      error: getDenialError(provider),
      state: 'state-of-the-application',
      iss: serviceStack.auth,
    })
  })
})

describe('a response that needs no provider', () => {
  const send = async (changes: Changes) => openTestBrowser().open(buildFormPostUrl(changes))

  test.each([
    [{ scope: 'profile' }, 'invalid_scope', 'openid scope is required.'],
    [{ response_type: 'id_token' }, 'invalid_request', 'When response_type includes id_token, nonce is required.'],
    [{ response_type: 'code id_token', nonce: 'n' }, 'unsupported_response_type', 'Unsupported response_type.'],
    [{ response_type: undefined }, 'unsupported_response_type', 'Unsupported response_type.'],
    [{ prompt: 'none' }, 'login_required', 'The user has to log in.'],
  ])('for %o posts %s', async (changes, error, description) => {
    expect(await readResponseForm(await send(changes))).toEqual({
      action: site.client.redirect_uri,
      fields: {
        error,
        error_description: description,
        state: 'state-of-the-application',
        iss: serviceStack.auth,
      },
    })
  })

  test('posts the error for a request object that alone has the response mode', async () => {
    const request = new UnsecuredJWT({ response_mode: 'form_post', state: 'in the object' }).encode()
    const fields = { error: 'request_not_supported', error_description: 'request is not supported.' }
    const response = await send({ request, response_mode: undefined, state: undefined })
    expect(await readResponseForm(response)).toEqual({
      action: site.client.redirect_uri,
      fields: { ...fields, iss: serviceStack.auth },
    })
    for (const other of ['x', 'e30.e30.', new UnsecuredJWT({ response_mode: 1 }).encode()])
      expect((await send({ request: other, response_mode: undefined })).status).toBe(302)
    expect((await send({ request, response_mode: 'query' })).status).toBe(302)
  })

  test('posts a code for the session of the browser with prompt=none', async () => {
    const browser = openTestBrowser()
    await logInByForm(browser, buildFormPostUrl())
    const silent = await readFields(await browser.open(buildFormPostUrl({ prompt: 'none', state: 'again' })))
    expect(silent).toEqual({ code: expect.stringMatching(/^slac_/), state: 'again', iss: serviceStack.auth })
  })

  test('comes from the endpoint without a provider as well', async () => {
    const { search } = new URL(buildFormPostUrl({ scope: 'gold openid' }))
    const response = await openTestBrowser().open(`${serviceStack.auth}/oauth2/authorize${search}`)
    expect((await readFields(response)).error).toBe('invalid_scope')
  })

  test('answers a request that is a form', async () => {
    const { origin, pathname, searchParams } = new URL(buildFormPostUrl({ scope: 'gold openid' }))
    const response = await openTestBrowser().open(origin + pathname, Object.fromEntries(searchParams))
    expect((await readFields(response)).error).toBe('invalid_scope')
  })

  test('for a response_mode twice is in the query: the mode is ambiguous', async () => {
    const location = await openRedirect(openTestBrowser(), `${buildFormPostUrl()}&response_mode=query`)
    expect(new URL(location).searchParams.get('error_description')).toBe('A parameter is repeated.')
  })

  test('for an unknown response_mode is a clear error in the default mode', async () => {
    const location = await openRedirect(openTestBrowser(), buildFormPostUrl({ response_mode: 'web_message' }))
    expect(new URL(location).searchParams.get('error_description')).toBe('response_mode is invalid.')
  })
})

test('an end user who chooses a provider on our page gets to the form', async () => {
  const browser = openTestBrowser()
  const { search } = new URL(buildFormPostUrl())
  const choice = await (await browser.open(`${serviceStack.auth}/oauth2/authorize${search}`)).text()
  const way = /<a [^>]*href="([^"]+\/authorize\/search\/[^"]+)"/.exec(choice)?.[1] ?? ''
  expect(await readFields(await logInByForm(browser, way.replaceAll('&amp;', '&')))).toHaveProperty('code')
})

test('the registered URI with its query is the action, and the state is unchanged', async () => {
  const state = `a+b c%20&d=e"'<>;/?:@[]{}|\\^~\`é\u2028</form><script>alert(1)</script>`
  const response = await logInByForm(openTestBrowser(), buildFormPostUrl({ redirect_uri: redirectUris[1], state }))
  const form = await readResponseForm(response)
  expect([form.action, form.fields.state]).toEqual([redirectUris[1], state])
})

test('the page is not cached, allows only its script, and sends the form only to the redirect URI\u2019s origin', async () => {
  const response = await openTestBrowser().open(buildFormPostUrl({ scope: 'profile' }))
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const script = /<script>(.*)<\/script>/.exec(await response.text())?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = new Map(
    response.headers
      .get('content-security-policy')
      ?.split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  )
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': "'none'",
    'style-src': "'self'",
    'img-src': "'self'",
    'form-action': 'https://shop.example.com',
    'script-src': `'sha256-${hash}'`,
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  })
})

test.each([
  [redirectUris[2], 'https://shop.example.com:8443'],
  [redirectUris[3], 'http://127.0.0.1:3000'],
  // There are no sources for IPv6 addresses (CSP Level 3, 2.3.1).
  [redirectUris[4], 'http:'],
])('the form to %s is allowed by the source %s', async (redirectUri, source) => {
  const response = await openTestBrowser().open(buildFormPostUrl({ redirect_uri: redirectUri, scope: 'profile' }))
  expect((await readResponseForm(response.clone())).action).toBe(redirectUri)
  expect(response.headers.get('content-security-policy')).toContain(`; form-action ${source}; `)
})

test.each(['en', 'ja'] as const)('a browser without scripts has a button, in %s', async (language) => {
  const { heading, explanation, go } = builtInLanguages.textsIn(language).form_post
  const browser = openTestBrowser()
  const page = await (await logInByForm(browser, buildFormPostUrl({ ui_locales: language }))).text()
  expect(page).toContain(`<html lang="${language}" dir="ltr">`)
  expect(page).toContain(`<h1>${heading}</h1>`)
  expect(page).toMatch(
    new RegExp(`<noscript>\\s*<p>${explanation}</p>\\s*<button [^>]*form="form-post">${go}</button>`),
  )
})

test('a login can be completed once: a second return gets the same form, and a page in another browser', async () => {
  const browser = openTestBrowser()
  const callback = await submitProviderSignIn(browser, await openRedirect(browser, buildFormPostUrl()))
  const form = await readResponseForm(await browser.open(callback))
  expect(await readResponseForm(await browser.open(callback))).toEqual(form)
  expect((await openTestBrowser().open(callback)).status).toBe(400)
})

test('a site login ignores response_mode: its callback gets a redirect', async () => {
  const address = buildAuthenticateUrl(serviceStack, site, 'search', { response_mode: 'form_post' })
  expect((await logIn(openTestBrowser(), address)).searchParams.get('status')).toBe('authorized')
})
