import { UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { flows } from './flows.ts'
import { relyingParty } from './relying-party.ts'
import { openSuite, redirectUris, type Suite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openSuite()
})

describe.each(flows)('$response_type by $response_mode through $path', (flow) => {
  const sendRequest = (changes: Record<string, string | undefined>) => relyingParty(suite, flow).request(changes)

  const expectPage = async (changes: Record<string, string | undefined>) => {
    const { response: result, form, page, interactions } = await sendRequest(changes)
    expect([result, form, page?.status, interactions]).toEqual([undefined, undefined, 400, 0])
    expect(await page?.text()).toContain('redirect_uri')
  }

  test('oidcc-response-type-missing: an error in the query or form with the state, and no code', async () => {
    const state = 'kept'
    const { response: result, form } = await sendRequest({ response_type: undefined, state })
    expect([result?.hash, form?.action]).toEqual(
      flow.response_mode === 'form_post' ? [undefined, redirectUris[0]] : ['', undefined],
    )
    const { error, code, ...rest } = form?.fields ?? Object.fromEntries(result?.searchParams ?? [])
    expect(error).toMatch(/^(invalid_request|unsupported_response_type)$/)
    expect([code, rest.state]).toEqual([undefined, state])
  })

  test('oidcc-ensure-registered-redirect-uri: 400 with a page, without a redirect to the unregistered URI', async () => {
    await expectPage({ redirect_uri: `${redirectUris[0]}/${crypto.randomUUID()}` })
    await expectPage({ redirect_uri: undefined })
  })

  test('oidcc-redirect-uri-query-added: 400 page if a query is added to the registered URI', async () => {
    await expectPage({ redirect_uri: `${redirectUris[0]}?foo=bar` })
  })

  test('oidcc-redirect-uri-query-mismatch: 400 page if the registered query is different', async () => {
    await expectPage({ redirect_uri: redirectUris[1].replace('bar', 'baz') })
  })

  /**
   * The suite moves every parameter into the request object and repeats in the URL only what OpenID Connect Core 6.1
   * requires, without state and nonce. So the error has no state either.
   */
  const askByObject = async (changes: Record<string, string>): Promise<URLSearchParams> => {
    const party = relyingParty(suite, flow)
    return party.locate(await party.request({ state: undefined, nonce: undefined, ...changes }))
  }

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
    const { client_id, redirect_uri } = suite.site.client
    const { response_type } = flow
    const claims = { client_id, redirect_uri, response_type, scope: 'openid', state: 'in the object', nonce: 'too' }
    const parameters = await askByObject({ request: new UnsecuredJWT(claims).encode() })
    expect([parameters.get('error'), parameters.get('state')]).toEqual(['request_not_supported', null])
  })

  test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
    const parameters = await askByObject({ request_uri: 'https://shop.example.com/request.jwt' })
    expect([parameters.get('error'), parameters.get('state')]).toEqual(['request_uri_not_supported', null])
  })

  test('registration is rejected as unsupported before its content is checked', async () => {
    const parameters = await askByObject({ registration: '{"client_name":"shop"}' })
    expect([parameters.get('error'), parameters.get('state')]).toEqual(['registration_not_supported', null])
  })

  test('oidcc-ensure-request-object-with-redirect-uri: 400 page; the object does not override an unregistered URI', async () => {
    const request = new UnsecuredJWT({ redirect_uri: redirectUris[0] }).encode()
    await expectPage({ request, redirect_uri: `${redirectUris[0]}/${crypto.randomUUID()}` })
    await expectPage({ request, redirect_uri: undefined })
  })
})

describe.each(flows.filter(({ response_type }) => response_type === 'id_token'))(
  '$response_type by $response_mode through $path',
  (flow) => {
    test('oidcc-ensure-request-without-nonce-fails: invalid_request, in the fragment or form', async () => {
      const party = relyingParty(suite, flow)
      const parameters = party.read(await party.request({ nonce: undefined }))
      expect([parameters.get('error'), parameters.has('id_token')]).toEqual(['invalid_request', false])
    })
  },
)

test('oidcc-redirect-uri-regfrag: a URI with a fragment cannot be registered', async () => {
  const { provider_auth, call } = suite.serviceStack
  const registration = { site: suite.site.site, name: 'fragment', kind: 'confidential' } as const
  const registering = provider_auth.registerClient(
    { ...registration, redirect_uris: [`${redirectUris[0]}#foobar`] },
    call(),
  )
  await expect(registering).rejects.toMatchObject({ fault: expect.stringMatching(/wrong|invalid/) })
})
