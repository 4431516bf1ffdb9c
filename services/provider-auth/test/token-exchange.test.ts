import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createNativeAppFixture, nativeProviders } from './native-app.ts'

const Tokens = z.strictObject({
  access_token: z.string().startsWith('slat_'),
  issued_token_type: z.literal('urn:ietf:params:oauth:token-type:access_token'),
  token_type: z.literal('Bearer'),
  expires_in: z.literal(3_600),
  id_token: z.string(),
  scope: z.string(),
})

const { serviceStack, site, app } = createNativeAppFixture()
let clientId: string
beforeAll(async () => {
  clientId = await registerClient({ token_exchange: true })
})

async function registerClient(settings: { token_exchange: boolean; user_metadata_write?: boolean }): Promise<string> {
  const client = { site: site.site, name: 'app', kind: 'public', redirect_uris: ['https://app.example.com/'] } as const
  const { client_id } = await serviceStack.provider_auth.registerClient(
    { ...client, redirect_uris: [...client.redirect_uris], ...settings },
    serviceStack.call(),
  )
  return client_id
}

const newUser = () => `Exchanges ${randomUUID()}`

/** A token exchange; parameters of `changes` replace or add, undefined removes. */
async function exchange(changes: Record<string, string | undefined>) {
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: clientId,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_issuer: 'search',
    scope: 'openid profile email',
    ...changes,
  }
  const sent = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  const response = await fetch(`${serviceStack.auth}/oauth2/token`, { method: 'POST', body: new URLSearchParams(sent) })
  return { status: response.status, json: z.record(z.string(), z.unknown()).parse(await response.json()) }
}

test.each(nativeProviders)('an ID Token of %s is exchanged for our tokens, once', async (provider) => {
  const { id_token } = await app.logInBySdk(provider, { user: newUser(), nonce: 'n-1' })
  const request = { subject_token: id_token, subject_issuer: provider, nonce: 'n-1' }
  const tokens = Tokens.parse((await exchange(request)).json)
  const claims = decodeJwt(tokens.id_token)
  expect(claims).toMatchObject({ aud: clientId, nonce: 'n-1', provider, at_hash: expect.any(String) })
  const userinfo = await fetch(`${serviceStack.auth}/oauth2/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(await userinfo.json()).toMatchObject({ sub: claims.sub })
  expect((await exchange(request)).json).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('The ID Token was used before.'),
  })
})

test.each(['messaging', 'search', 'social'] as const)('an access token of %s is exchanged', async (provider) => {
  const login = { user: newUser(), client_id: site.providers[provider].client_id }
  const { access_token } = await app.logInBySdk(provider, login)
  const subject = {
    subject_token: access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_issuer: provider,
  }
  const { json } = await exchange({ ...subject, scope: undefined })
  expect(Tokens.parse(json).scope).toBe('openid')
})

test('an exchange and a one-time token find the same user', async () => {
  const user = newUser()
  const first = await app.logInBySdk('search', { user })
  const tokens = Tokens.parse((await exchange({ subject_token: first.id_token })).json)
  const second = await app.logInBySdk('search', { user })
  const identifier = await app.redeem(await app.fetchToken('search', { id_token: second.id_token }))
  expect(decodeJwt(tokens.id_token).sub).toBe(identifier)
})

test('the token of a client that may change user_metadata changes it', async () => {
  const ownClient = await registerClient({ token_exchange: true, user_metadata_write: true })
  const { id_token } = await app.logInBySdk('search', { user: newUser() })
  const request = { client_id: ownClient, subject_token: id_token, scope: 'openid email user_metadata:write' }
  const { access_token, scope } = Tokens.parse((await exchange(request)).json)
  expect(scope).toBe('openid email user_metadata:write')
  const response = await fetch(`${serviceStack.auth}/oauth2/user-metadata`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/merge-patch+json' },
    body: '{"theme":"dark"}',
  })
  expect(await response.json()).toEqual({ theme: 'dark' })
})

describe('errors', () => {
  test.each([
    ['subject_token', { subject_token: undefined }, 'invalid_request', 'subject_token is required.'],
    ['its type', { subject_token_type: undefined }, 'invalid_request', 'subject_token_type is required.'],
    [
      'a SAML assertion',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
      'invalid_request',
      'must be',
    ],
    ['no issuer', { subject_issuer: undefined }, 'invalid_request', 'subject_issuer is required.'],
    ['an unknown issuer', { subject_issuer: 'unknown' }, 'invalid_request', 'subject_issuer must be'],
    ['an issuer without SDK', { subject_issuer: 'microblog' }, 'unauthorized_client', 'native apps'],
    ['an actor', { actor_token: 'x' }, 'invalid_request', 'actor_token is not supported.'],
    ['an audience', { audience: 'https://api.example.com' }, 'invalid_target', 'not supported'],
    ['no openid', { scope: 'profile' }, 'invalid_scope', 'scope is invalid.'],
    ['an unknown scope', { scope: 'openid offline_access' }, 'invalid_scope', 'scope is invalid.'],
    ['a scope of other clients', { scope: 'openid user_metadata:write' }, 'invalid_scope', 'scope is invalid.'],
    ['another result', { requested_token_type: 'urn:ietf:params:oauth:token-type:jwt' }, 'invalid_request', 'must be'],
    ['a token that is no JWT', {}, 'invalid_request', 'The ID Token was not issued by this provider'],
  ] as const)('400 for %s', async (_, changes, error, text) => {
    const { status, json } = await exchange({ subject_token: 'x', ...changes })
    expect([status, json]).toEqual([400, { error, error_description: expect.stringContaining(text) }])
  })

  test('400 for a client that may not exchange tokens, which is the default', async () => {
    const { status, json } = await exchange({
      subject_token: 'x',
      client_id: await registerClient({ token_exchange: false }),
    })
    expect([status, json.error]).toEqual([400, 'unauthorized_client'])
  })

  test('401 without the secret of a confidential client', async () => {
    const { status, json } = await exchange({ subject_token: 'x', client_id: site.client.client_id })
    expect([status, json.error]).toEqual([401, 'invalid_client'])
  })
})
