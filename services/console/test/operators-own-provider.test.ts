import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '#runtime'
import { getFault, type Harness, startConsole } from './harness.ts'
import { startTestProvider, type TestProvider } from './openid-provider.ts'
import { openProviderBrowser } from './provider-browser.ts'

let stack: AsyncDisposableStack
let provider: TestProvider
let harness: Harness
const registered = { OPERATOR_CLIENT_ID: 'console', OPERATOR_CLIENT_SECRET: 'secret' }
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  provider = stack.use(await startTestProvider({ client_id: 'console' }))
  harness = stack.use(await startConsole({ environment: { OPERATOR_ISSUER: provider.url, ...registered } }))
})
beforeEach(() => {
  harness.clock.now = new Date()
})
afterAll(() => stack.disposeAsync())

const openBrowser = () => openProviderBrowser(harness)

async function member(sub: string, of?: { account: string; role: 'owner' }) {
  provider.user = { sub }
  const browser = openBrowser()
  const token = await harness.createLink(sub, of)
  expect(await browser.comeBack(await browser.leave({ token }))).toBe('/')
  return browser
}

test('a member accepts a link with an identity at the provider, and signs in with it afterwards', async () => {
  const first = await member('ada')
  expect(await first.me()).toMatchObject({ body: { member: { name: 'ada', operator: true, passkeys: 0 } } })
  const again = openBrowser()
  expect(await again.post('/sign-in/options')).toMatchObject({ body: { provider: 'localhost' } })
  expect(await again.comeBack(await again.leave({ return_to: '/accounts?page=2' }))).toBe('/accounts?page=2')
  expect(await again.me()).toMatchObject({ status: 200, body: { member: { name: 'ada' } } })
  expect(provider.lastRequest.get('code_challenge_method')).toBe('S256')
})

test('a prefetch of the callback does not use it up', async () => {
  await member('hurried')
  const browser = openBrowser()
  const callback = await browser.leave()
  expect((await fetch(callback, { redirect: 'manual', headers: { 'sec-purpose': 'prefetch' } })).status).toBe(503)
  expect(await browser.comeBack(callback)).toBe('/')
})

describe('sign-in is rejected', () => {
  test('without a link', async () => {
    provider.user = { sub: 'stranger' }
    const browser = openBrowser()
    expect(await browser.comeBack(await browser.leave())).toBe('/sign-in?error=not_allowed')
    expect((await browser.me()).status).toBe(401)
  })

  test('with a used link', async () => {
    await member('first')
    const browser = openBrowser()
    const token = await harness.createLink('second')
    const other = openBrowser()
    provider.user = { sub: 'second' }
    const callback = await browser.leave({ token })
    await other.comeBack(await other.leave({ token }))
    provider.user = { sub: 'third' }
    expect(await browser.comeBack(callback)).toBe('/sign-in?error=not_found&reason=link_invalid')
    expect(getFault(await browser.post('/sign-in/provider', { token }))).toBe('not_found')
  })

  test('with a callback that was used, has expired, or belongs to another browser', async () => {
    await member('careful')
    const browser = openBrowser()
    const used = await browser.leave()
    expect(await browser.comeBack(used)).toBe('/')
    await browser.post('/sign-out')
    expect(await browser.comeBack(used)).toBe('/sign-in?error=not_signed_in')
    const stolen = await browser.leave()
    expect(await openBrowser().comeBack(stolen)).toBe('/sign-in?error=not_signed_in')
    const late = await browser.leave()
    harness.clock.pass(301)
    expect(await browser.comeBack(late)).toBe('/sign-in?error=not_signed_in')
    expect((await browser.me()).status).toBe(401)
  })

  test.each<[string, Partial<TestProvider['user']>]>([
    ['a foreign key', { forged: true }],
    ['another nonce', { nonce: 'other' }],
    ['another audience', { audience: 'other' }],
    ['an authorized party that is another client', { azp: 'other' }],
    ['an issue time in the future', { issued_in_seconds: 120 }],
  ])('with an ID Token with %s', async (name, lie) => {
    const sub = `liar-with-${name.replaceAll(' ', '-')}`
    await member(sub)
    provider.user = { sub, ...lie }
    const browser = openBrowser()
    expect(await browser.comeBack(await browser.leave())).toBe(
      '/sign-in?error=not_signed_in&reason=sign_in_provider_rejected&provider=localhost',
    )
  })
})

test('a late sensitive change requires a new authentication of the same member at the provider', async () => {
  const owner = await member('owner', { account: 'shop', role: 'owner' })
  await member('another-user')
  const act = () => owner.send('POST', '/admin/v1/accounts/shop/tokens', { name: 'CI', role: 'viewer' })
  harness.clock.pass(301)
  expect(getFault(await act())).toBe('passkey_required')

  provider.user = { sub: 'another-user', auth_time: harness.clock.now }
  expect(await owner.comeBack(await owner.leave({ confirm: true }))).toBe('/sign-in?error=not_signed_in')
  provider.user = { sub: 'owner' }
  expect(await owner.comeBack(await owner.leave({ confirm: true }))).toBe('/sign-in?error=passkey_required')
  provider.user = { sub: 'owner', auth_time: new Date(harness.clock.now.getTime() - 120_000) }
  expect(await owner.comeBack(await owner.leave({ confirm: true }))).toBe('/sign-in?error=passkey_required')
  expect(getFault(await act())).toBe('passkey_required')

  provider.user = { sub: 'owner', auth_time: harness.clock.now }
  expect(await owner.comeBack(await owner.leave({ confirm: true, return_to: '/tokens' }))).toBe('/tokens')
  expect([provider.lastRequest.get('prompt'), provider.lastRequest.get('max_age')]).toEqual(['login', '0'])
  expect((await act()).status).toBe(200)
})

describe('a member with an identity at the provider', () => {
  async function withPasskey(sub: string) {
    const browser = await member(sub)
    const { knex } = harness
    const { member_id } = await knex('members').where({ name: sub }).first('member_id')
    const passkeyId = Buffer.from(sub).toString('base64url')
    await knex('passkeys').insert({
      passkey_id: passkeyId,
      member_id,
      name: 'Laptop',
      public_key: Buffer.from('x'),
      counter: 0,
      transports: [],
      created_at: harness.clock.now,
    })
    const remove = () => browser.send('DELETE', `/admin/v1/me/passkeys/${passkeyId}`)
    return { browser, remove, member_id, passkey_id: passkeyId }
  }

  test('sees it, and can remove the only passkey', async () => {
    const { browser, remove } = await withPasskey('two-ways')
    expect(await browser.me()).toMatchObject({ body: { provider: 'localhost', passkeys: [{ name: 'Laptop' }] } })
    expect((await remove()).status).toBe(200)
    const again = openBrowser()
    expect(await again.comeBack(await again.leave())).toBe('/')
    expect(await again.me()).toMatchObject({ body: { member: { name: 'two-ways', passkeys: 0 } } })
  })

  test('cannot remove the last passkey after the provider was changed', async () => {
    const { browser, remove, member_id } = await withPasskey('left-over')
    await harness.knex('provider_identities').where({ member_id }).update({ issuer: 'https://former.example.com' })
    expect(await browser.me()).toMatchObject({ body: { provider: null } })
    expect(await remove()).toMatchObject({
      status: 409,
      body: {
        error: {
          name: 'conflict',
          reason: 'last_sign_in_method',
          message: 'This is your only way to sign in. Add another passkey first.',
        },
      },
    })
    expect(await harness.knex('passkeys').where({ member_id })).toHaveLength(1)
  })
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/ a', 'x'])(
  'it never leads to %s',
  async (returnTo) => {
    expect(getFault(await openBrowser().post('/sign-in/provider', { return_to: returnTo }))).toBe('invalid_request')
  },
)

test('503 while the provider is unavailable; passkeys still work', async () => {
  await using unreachableConsole = await startConsole({
    environment: { OPERATOR_ISSUER: 'http://localhost:9', ...registered },
  })
  const send = (path: string) =>
    unreachableConsole.anonymous.send('POST', path, {
      body: {},
      headers: { 'x-console': '1', origin: unreachableConsole.url },
    })
  expect(getFault(await send('/sign-in/provider'))).toBe('unavailable')
  expect((await send('/sign-in/options')).status).toBe(200)
})

test('without the three settings there is no provider sign-in, and with only some of them the console does not start', async () => {
  await using without = await startConsole()
  const response = await without.anonymous.send('POST', '/sign-in/provider', {
    body: {},
    headers: { 'x-console': '1', origin: without.url },
  })
  expect(getFault(response)).toBe('not_found')
  await expect(startConsole({ environment: { OPERATOR_ISSUER: provider.url } })).rejects.toThrow(ConfigError)
})
