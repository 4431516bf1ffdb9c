import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminReasons, createReason, formatReason } from '#admin-api'
import in_japanese from '../web/texts/ja/reasons.json' with { type: 'json' }
import type { AdminResponse } from './harness.ts'
import { type Managed, newAccount, openManaged } from './managed.ts'

const account = newAccount()

let managed: Managed
beforeAll(async () => {
  managed = await openManaged()
  await managed.operator('POST', '/accounts', { account, name: 'The shop' })
  await managed.operator('POST', `/accounts/${account}/sites`, { site_id: 'main', name: 'Main', kind: 'production' })
})
afterAll(() => managed[Symbol.asyncDispose]())

const path = `/accounts/${account}/sites/main`
const parametersOf = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test('every reason has a Japanese message with the same parameters', () => {
  const translations = new Map(Object.entries(in_japanese))
  for (const [name, sentence] of Object.entries(adminReasons)) {
    expect(parametersOf(translations.get(name) ?? ''), name).toEqual(parametersOf(sentence))
    expect(translations.get(name), name).toMatch(/[\p{Script=Hiragana}\p{Script=Han}]/u)
  }
})

test('a reason’s message contains its parameters', () => {
  const reason = createReason('insufficient_role', { has: 'viewer', needs: 'owner' })
  expect(formatReason(reason)).toBe(
    'Your role in this account is viewer, but this requires owner. Ask an owner of the account.',
  )
})

/** The field and the reason of each problem. */
function reasonsOf({ body }: AdminResponse): [string, string | undefined][] {
  const fields: unknown = Reflect.get(Object(Reflect.get(Object(body), 'error')), 'fields')
  return (Array.isArray(fields) ? fields : []).map(({ field, reason }) => [field, reason])
}

test('every problem of a redirect URI has a reason that pages can translate', async () => {
  const wrong = {
    'https://shop.example.com/a b': 'outside_ascii',
    'https://shop.example.com/#f': 'has_fragment',
    'https://shop.example.com\\': 'has_backslash',
    'https://*.example.com': 'has_wildcard',
    callback: 'not_absolute',
    'https://me@shop.example.com/': 'has_user_name',
    'https://SHOP.example.com/': 'not_normalized',
    'https://shop.example.com//c': 'two_slashes',
    'https://shop.example.com/?state=1': 'reserved_parameter',
    'http://shop.example.com/': 'https_or_localhost',
    'com.example.app:/c': 'https_or_public_client',
    'app:/c': 'not_https',
  }
  const client = { kind: 'confidential', name: 'Shop', redirect_uris: Object.keys(wrong) }
  const rejected = await managed.operator('POST', `${path}/clients`, client)
  expect(reasonsOf(rejected)).toEqual(Object.values(wrong).map((reason, at) => [`redirect_uris.${at}`, reason]))
  expect(rejected).toMatchObject({
    body: {
      error: { fields: expect.arrayContaining([expect.objectContaining({ parameters: { parameter: 'state' } })]) },
    },
  })
  const open = { kind: 'public', name: 'App', redirect_uris: ['com.example.app:/c'], pkce: 'optional' }
  expect(reasonsOf(await managed.operator('POST', `${path}/clients`, open))).toEqual([['pkce', 'pkce_required']])
})

test.each<[string, object, [string, string][]]>([
  [
    'device',
    { client_id: 'c', options: { team_id: 'x' } },
    [
      ['options.team_id', 'not_ten_characters'],
      ['options.key_id', 'required'],
      ['client_secret', 'required_initially'],
    ],
  ],
  [
    'device',
    { client_id: 'c', client_secret: 'none', options: { team_id: 'ABCDE12345', key_id: 'ABCDE12345' } },
    [['client_secret', 'not_a_private_key']],
  ],
  [
    'search',
    { client_id: 'c', client_secret: 's', official_account: true, options: { x: 'y' } },
    [
      ['official_account', 'messaging_only'],
      ['options.x', 'unknown_option'],
    ],
  ],
  [
    'social',
    { client_id: 'c', client_secret: 's', options: { permissions: 'everything' } },
    [['options.permissions', 'unknown_permissions']],
  ],
  [
    'social',
    { client_id: '', client_secret: 7 },
    [
      ['client_id', 'empty'],
      ['client_secret', 'not_a_string'],
    ],
  ],
])('every problem of the settings of %s has a reason: %j', async (provider, entered, expected) => {
  const rejected = await managed.operator('PUT', `${path}/providers/${provider}`, entered, 0)
  expect(reasonsOf(rejected)).toEqual(expected)
})

test('every problem of a site has a reason', async () => {
  const wrong = {
    domains: ['a b'],
    requests_per_window: 1.5,
    allowed_addresses: ['here', '192.0.2.7/24'],
    kind: 'staging',
    colour: 'red',
  }
  expect(reasonsOf(await managed.operator('PATCH', path, wrong, 1))).toEqual([
    ['kind', 'value_not_allowed'],
    ['domains.0', 'not_a_host_name'],
    ['requests_per_window', 'not_an_integer'],
    ['allowed_addresses.0', 'not_an_address'],
    ['allowed_addresses.1', 'not_a_block'],
    ['colour', 'unknown_field'],
  ])
})
