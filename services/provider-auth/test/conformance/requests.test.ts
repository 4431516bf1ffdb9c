import { beforeAll, describe, expect, test } from 'vitest'
import { flows, listSuppliedClaims } from './flows.ts'
import { relyingParty } from './relying-party.ts'
import { openSuite, redirectUris, type Suite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openSuite()
})

describe.each(flows)('$response_type by $response_mode through $path', (flow) => {
  const logIn = (changes: Record<string, string | undefined> = {}) => relyingParty(suite, flow).authenticate(changes)

  test('oidcc-server: a login succeeds, and its tokens and claims conform to the standard', async () => {
    const { claims } = await logIn()
    expect(claims.sub).toMatch(/^[\x21-\x7e]{1,255}$/)
  })

  test('oidcc-alternate-happy-flow: the order of scopes and parameters does not matter', async () => {
    const { userClaims } = await relyingParty(suite, flow).authenticate({ scope: 'email openid' }, { reversed: true })
    if (listSuppliedClaims(flow).has('email')) expect(userClaims.email).toBeTypeOf('string')
  })

  test.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-login-hint', { login_hint: 'hanako@example.com' }],
    ['oidcc-ui-locales', { ui_locales: 'se ja' }],
    ['oidcc-claims-locales', { claims_locales: 'se ja' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ])('%s: the login succeeds with the parameter', async (_, parameters) => {
    const { claims } = await logIn(parameters)
    expect(claims.acr ?? 'none').not.toBe('')
  })

  test('oidcc-ensure-post-request-succeeds: an authorization request can be a form', async () => {
    await relyingParty(suite, flow).authenticate({}, { method: 'POST' })
  })

  test('oidcc-redirect-uri-query-OK: the registered query is kept', async () => {
    const [, redirectUri] = redirectUris
    const { response: result, form } = await relyingParty(suite, flow).request({ redirect_uri: redirectUri })
    if (flow.response_mode === 'form_post') return expect(form?.action).toBe(redirectUri)
    const separator = flow.response_type === 'code' ? '&' : '#'
    expect(result?.href).toMatch(new RegExp(`^${RegExp.escape(redirectUri + separator + flow.response_type)}=`))
    expect(result?.searchParams.getAll('foo')).toEqual(['bar'])
  })
})
