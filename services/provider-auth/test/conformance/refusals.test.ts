import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flows } from './flows.ts'
import { relyingParty } from './relying-party.ts'
import { redirect_uris, type Suite, startSuite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await startSuite()
})
afterAll(() => suite[Symbol.asyncDispose]())

describe.each(flows)('CONF-1 CONF-2 $response_type through $path', (flow) => {
  const ask = (changes: Record<string, string | undefined>) => relyingParty(suite, flow).request(changes)

  const expectPage = async (changes: Record<string, string | undefined>) => {
    const { answer, page, interactions } = await ask(changes)
    expect([answer, page?.status, interactions]).toEqual([undefined, 400, 0])
    expect(await page?.text()).toContain('redirect_uri')
  }

  test('oidcc-response-type-missing: an error in the query with the state, and no code', async () => {
    const state = 'kept'
    const { answer } = await ask({ response_type: undefined, state })
    expect(answer?.hash).toBe('')
    const { error, code, ...rest } = Object.fromEntries(answer?.searchParams ?? [])
    expect(error).toMatch(/^(invalid_request|unsupported_response_type)$/)
    expect([code, rest.state]).toEqual([undefined, state])
  })

  test('oidcc-ensure-registered-redirect-uri: 400, a page, and nobody is sent to an address that is not registered', async () => {
    await expectPage({ redirect_uri: `${redirect_uris[0]}/${crypto.randomUUID()}` })
    await expectPage({ redirect_uri: undefined })
  })

  test('oidcc-redirect-uri-query-added: 400, a page, when a query is added to the registered address', async () => {
    await expectPage({ redirect_uri: `${redirect_uris[0]}?foo=bar` })
  })

  test('oidcc-redirect-uri-query-mismatch: 400, a page, when the registered query is another', async () => {
    await expectPage({ redirect_uri: redirect_uris[1].replace('bar', 'baz') })
  })

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
    const party = relyingParty(suite, flow)
    const request = new UnsecuredJWT({ state: 'of the request object', scope: 'openid' }).encode()
    const parameters = party.read(await party.request({ request }))
    expect(parameters.get('error')).toBe('request_not_supported')
  })

  test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejected', async () => {
    const party = relyingParty(suite, flow)
    const parameters = party.read(await party.request({ request_uri: 'https://shop.example.com/request.jwt' }))
    expect(parameters.get('error')).toBe('request_uri_not_supported')
  })

  test('oidcc-ensure-request-object-with-redirect-uri: 400, a page; the object does not make a wrong address right', async () => {
    const request = new UnsecuredJWT({ redirect_uri: redirect_uris[0] }).encode()
    await expectPage({ request, redirect_uri: `${redirect_uris[0]}/${crypto.randomUUID()}` })
    await expectPage({ request, redirect_uri: undefined })
  })
})

describe.each(flows.filter(({ response_type }) => response_type === 'id_token'))(
  'CONF-2 $response_type through $path',
  (flow) => {
    test('oidcc-ensure-request-without-nonce-fails: invalid_request, in the fragment', async () => {
      const party = relyingParty(suite, flow)
      const parameters = party.read(await party.request({ nonce: undefined }))
      expect([parameters.get('error'), parameters.has('id_token')]).toEqual(['invalid_request', false])
    })
  },
)

test('oidcc-redirect-uri-regfrag: an address with a fragment cannot be registered', async () => {
  const { provider_auth, call } = suite.constellation
  const registration = { site: suite.site.site, name: 'fragment', kind: 'confidential' } as const
  const registering = provider_auth.registerClient(
    { ...registration, redirect_uris: [`${redirect_uris[0]}#foobar`] },
    call(),
  )
  await expect(registering).rejects.toMatchObject({ fault: expect.stringMatching(/wrong|invalid/) })
})
