import { describe, expect, test } from 'vitest'
import type { ProviderClient } from '../../domain/provider-client.ts'
import { type LoginParties, validateClient } from './client-validation.ts'

const redirectUri = 'https://shop.example.com/callback?keep=1'

const client = {
  client_id: 'c',
  site: 7,
  name: 'shop',
  kind: 'confidential',
  pkce: 'optional',
  callback_by_domain: false,
  token_exchange: false,
  metadata_claims: [],
  consents_claim: false,
  user_metadata_write: false,
  response_types: ['code', 'id_token'],
  id_token_alg: 'RS256',
  redirect_uris: ['https://shop.example.com/other', redirectUri],
  post_logout_redirect_uris: [],
} as const

const settings = {
  site: 7,
  account: 'demo',
  site_id: 'shop',
  provider: 'search',
  definition: null,
  endpoints: null,
  login_provider_identifier: 'i',
  client_id: 'at-provider',
  client_secret: 's',
  options: {},
  official_account: false,
  enabled: true,
} as const

const loginProvider: ProviderClient = {
  provider: 'search',
  supplies: [],
  passedParameters: {},
  supportsMaxAge: false,
  startLogin: () => Promise.reject(new Error('A check calls no provider.')),
  finishLogin: () => Promise.reject(new Error('A check calls no provider.')),
}

const good: LoginParties = { settings, providerClient: loginProvider, client }

test('a login with known client and settings and a registered redirect_uri is accepted', () => {
  expect(validateClient(good, redirectUri)).toEqual({
    settings,
    providerClient: loginProvider,
    client,
    redirect_uri: redirectUri,
  })
})

describe('errors are detected in this order', () => {
  const unknown = { settings: undefined, providerClient: undefined, client: undefined }
  test.each([
    ['unknown settings', { ...good, settings: undefined }, redirectUri, 'provider_invalid'],
    ['disabled settings', { ...good, settings: { ...settings, enabled: false } }, redirectUri, 'provider_invalid'],
    ['settings before all else', unknown, undefined, 'provider_invalid'],
    ['a provider that is not supported', { ...unknown, settings }, undefined, 'provider_unavailable'],
    ['an unknown client', { ...good, client: undefined }, undefined, 'client_id_invalid'],
    ["another site's client", { ...good, settings: { ...settings, site: 8 } }, undefined, 'client_id_invalid'],
    ['no redirect_uri', good, undefined, 'redirect_uri_invalid'],
  ])('%s', (_, parties, input, page) => {
    expect(validateClient(parties, input)).toBe(page)
  })
})

describe('a redirect_uri is compared byte for byte', () => {
  test.each([
    'https://shop.example.com/callback',
    'https://shop.example.com/callback?keep=1&',
    'https://shop.example.com/callback?keep=1&x=2',
    'https://shop.example.com/callback?keep=2',
    'https://shop.example.com/callback?keep=1#',
    'https://shop.example.com/callback?keep=1#fragment',
    'https://shop.example.com/callback/?keep=1',
    'https://shop.example.com/Callback?keep=1',
    'https://SHOP.example.com/callback?keep=1',
    'HTTPS://shop.example.com/callback?keep=1',
    'http://shop.example.com/callback?keep=1',
    'https://shop.example.com:443/callback?keep=1',
    'https://shop.example.com./callback?keep=1',
    'https://user@shop.example.com/callback?keep=1',
    'https://shop.example.com@evil.example/callback?keep=1',
    'https://shop.example.com.evil.example/callback?keep=1',
    'https://evil.example/callback?keep=1',
    'https://shop.example.com//callback?keep=1',
    'https://shop.example.com/./callback?keep=1',
    'https://shop.example.com/x/../callback?keep=1',
    'https://shop.example.com/%63allback?keep=1',
    'https://shop.example.com/callback%3Fkeep=1',
    'https://shop.example.com\\callback?keep=1',
    ' https://shop.example.com/callback?keep=1',
    'https://shop.example.com/callback?keep=1 ',
    'https://shop.example.com/callback?keep=1\n',
    'https://shop.example.com/callback?keep=1%00',
    'https://ｓhop.example.com/callback?keep=1',
    '//shop.example.com/callback?keep=1',
    '/callback?keep=1',
    'javascript:alert(1)',
    'data:text/html,x',
    '*',
    'null',
  ])('%s is different', (nearMiss) => {
    expect(validateClient(good, nearMiss)).toBe('redirect_uri_invalid')
  })
})

describe('the port of a loopback address', () => {
  const registered = 'http://127.0.0.1:3000/callback'
  const partiesOf = (
    kind: 'public' | 'confidential',
    redirectUris: readonly string[] = [registered],
  ): LoginParties => ({
    ...good,
    client: { ...client, kind, redirect_uris: redirectUris },
  })

  test.each([
    'http://127.0.0.1:3001/callback',
    'http://127.0.0.1/callback',
    'http://localhost:3000/callback',
    'http://[::1]:3000/callback',
  ])('of a confidential client does not vary: %s is different', (nearMiss) => {
    expect(validateClient(partiesOf('confidential'), registered)).toBeTypeOf('object')
    expect(validateClient(partiesOf('confidential'), nearMiss)).toBe('redirect_uri_invalid')
  })

  test.each([
    [registered, 'http://127.0.0.1:49152/callback'],
    [registered, 'http://127.0.0.1:65535/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback'],
    ['http://[::1]/a?b=c', 'http://[::1]:49152/a?b=c'],
    ['http://127.0.0.1', 'http://127.0.0.1:49152'],
  ])('of a public client may vary: %s also accepts %s', (uri, requested) => {
    expect(validateClient(partiesOf('public', [uri]), requested)).toMatchObject({ redirect_uri: requested })
  })

  test.each([
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:03000/callback',
    'http://127.0.0.1:3001/callback?x',
    'http://127.0.0.1:3001/Callback',
    'http://127.0.0.1:3001/callback\n',
    'http://127.0.0.1:3001@evil.example/callback',
    'http://127.0.0.2:3001/callback',
    'http://[::1]:3000/callback',
    'http://localhost:3000/callback',
    'https://127.0.0.1:3001/callback',
  ])('of a public client: %s is different', (nearMiss) => {
    expect(validateClient(partiesOf('public'), nearMiss)).toBe('redirect_uri_invalid')
  })

  test.each(['http://localhost:3000/callback', 'https://127.0.0.1:3000/callback'])('of %s does not vary', (uri) => {
    expect(validateClient(partiesOf('public', [uri]), uri)).toBeTypeOf('object')
    expect(validateClient(partiesOf('public', [uri]), uri.replace('3000', '3001'))).toBe('redirect_uri_invalid')
  })
})
