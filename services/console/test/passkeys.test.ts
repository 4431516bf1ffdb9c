import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '#testing'
import { type AdminResponse, getFault, getText, type Harness, startConsole } from './harness.ts'
import { type MemberBrowser, openMemberBrowser as openAt } from './member-browser.ts'

let stack: AsyncDisposableStack
let harness: Harness
let browser: Browser
let web: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  web = await mkdtemp(join(tmpdir(), 'social-login-console-web-'))
  stack.defer(() => rm(web, { recursive: true, force: true }))
  await writeFile(join(web, 'sign-in.html'), '<!doctype html><title>console</title>')
  browser = await openBrowser()
  stack.defer(() => browser.close())
  harness = stack.use(await startConsole({ web }))
})
afterAll(() => stack.disposeAsync())

const openMemberBrowser = (address = harness.url) => openAt(browser, address)

/** Uses a link with a new passkey. */
async function register({ post, make }: MemberBrowser, token: string): Promise<AdminResponse> {
  const response = await make(await post('/passkeys/options', { token }))
  return post('/passkeys/verify', { token, name: 'My key', response })
}

async function signIn({ post, show }: MemberBrowser): Promise<AdminResponse> {
  return post('/sign-in/verify', { response: await show(await post('/sign-in/options')) })
}

test('an operator opens a link, creates a passkey, signs out, and signs in with it without a user name', async () => {
  await using member = await openMemberBrowser()
  const token = await harness.createLink('Ada')
  expect(await member.post('/sign-in/link', { token })).toMatchObject({
    status: 200,
    body: { next: 'passkey', name: 'Ada', account: null, role: null, signed_in_as: null },
  })
  expect((await register(member, token)).status).toBe(200)
  expect(await member.get('/admin/v1/me')).toMatchObject({
    status: 200,
    body: { member: { name: 'Ada', operator: true, passkeys: 1 }, by: 'session', passkeys: [{ name: 'My key' }] },
  })
  expect((await member.post('/sign-out')).status).toBe(200)
  expect((await member.get('/admin/v1/me')).status).toBe(401)
  expect(await signIn(member)).toMatchObject({ status: 200, body: { name: 'Ada' } })
  const [cookie] = await member.context.cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
})

test('a link works once and is rejected before and after a second passkey is created', async () => {
  await using first = await openMemberBrowser()
  await using second = await openMemberBrowser()
  const token = await harness.createLink('Grace', { account: 'shop', role: 'editor' })
  const madeBySecond = await second.make(await second.post('/passkeys/options', { token }))
  expect((await register(first, token)).status).toBe(200)
  const late = await second.post('/passkeys/verify', { token, name: 'Mine', response: madeBySecond })
  expect(late).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('This link was used') } },
  })
  expect(getFault(await second.post('/sign-in/link', { token }))).toBe('not_found')
  expect((await second.get('/admin/v1/me')).status).toBe(401)
  expect(await harness.knex('members').where({ name: 'Grace' }).select('name')).toHaveLength(1)
})

test('a link expires after a day', async () => {
  await using member = await openMemberBrowser()
  const token = await harness.createLink('Late')
  harness.clock.pass(86_401)
  expect(getFault(await member.post('/sign-in/link', { token }))).toBe('not_found')
  expect(getFault(await member.post('/passkeys/options', { token }))).toBe('not_found')
})

test('a signed-in member accepts the role of a link to another account', async () => {
  await using member = await openMemberBrowser()
  await register(member, await harness.createLink('Both', { account: 'one', role: 'viewer' }))
  const token = await harness.createLink('Both', { account: 'two', role: 'editor' })
  expect(await member.post('/sign-in/link', { token })).toMatchObject({ body: { next: 'join', signed_in_as: 'Both' } })
  expect((await member.post('/sign-in/join', { token })).status).toBe(200)
  expect(await member.get('/admin/v1/me')).toMatchObject({
    body: {
      member: {
        roles: [
          { account: 'one', role: 'viewer' },
          { account: 'two', role: 'editor' },
        ],
      },
    },
  })
  expect(getFault(await member.post('/sign-in/join', { token }))).toBe('not_found')
})

describe('sign-in is rejected', () => {
  test('with a response that was used before', async () => {
    await using member = await openMemberBrowser()
    await register(member, await harness.createLink('Replayed'))
    const response = await member.show(await member.post('/sign-in/options'))
    expect((await member.post('/sign-in/verify', { response })).status).toBe(200)
    expect(getFault(await member.post('/sign-in/verify', { response }))).toBe('not_signed_in')
  })

  test('with the challenge of another browser', async () => {
    await using member = await openMemberBrowser()
    await using thief = await openMemberBrowser()
    await register(member, await harness.createLink('Stolen'))
    const response = await member.show(await member.post('/sign-in/options'))
    await thief.post('/sign-in/options')
    expect(getFault(await thief.post('/sign-in/verify', { response }))).toBe('not_signed_in')
  })

  test('with a challenge older than five minutes', async () => {
    await using member = await openMemberBrowser()
    await register(member, await harness.createLink('Slow'))
    const response = await member.show(await member.post('/sign-in/options'))
    harness.clock.pass(301)
    expect(getFault(await member.post('/sign-in/verify', { response }))).toBe('not_signed_in')
  })

  test('with a signature for another origin, or a changed response', async () => {
    await using member = await openMemberBrowser()
    await register(member, await harness.createLink('Phished'))
    const change = async (edit: (data: Record<string, unknown>) => object) => {
      const created = await member.show(await member.post('/sign-in/options'))
      const response: { clientDataJSON: string } = Reflect.get(created, 'response')
      const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
      const changed = Buffer.from(JSON.stringify(edit(data))).toString('base64url')
      return member.post('/sign-in/verify', {
        response: { ...created, response: { ...response, clientDataJSON: changed } },
      })
    }
    expect(getFault(await change((data) => ({ ...data, origin: 'https://evil.example' })))).toBe('not_signed_in')
    expect(getFault(await change((data) => ({ ...data, type: 'webauthn.create' })))).toBe('not_signed_in')
    expect(getFault(await change((data) => ({ ...data, extra: true })))).toBe('not_signed_in')
  })

  test('without user verification', async () => {
    await using member = await openMemberBrowser()
    await register(member, await harness.createLink('Unverified'))
    const options = await member.post('/sign-in/options')
    await member.cdp.send('WebAuthn.setUserVerified', { authenticatorId: member.authenticator, isUserVerified: false })
    const careless = {
      ...options,
      body: { options: { ...Object(Reflect.get(Object(options.body), 'options')), userVerification: 'discouraged' } },
    }
    expect(getFault(await member.post('/sign-in/verify', { response: await member.show(careless) }))).toBe(
      'not_signed_in',
    )
  })

  test('with a copied passkey, whose counter is lower', async () => {
    await using member = await openMemberBrowser()
    await register(member, await harness.createLink('Copied'))
    expect((await signIn(member)).status).toBe(200)
    await harness
      .knex('passkeys')
      .whereIn('member_id', harness.knex('members').where({ name: 'Copied' }).select('member_id'))
      .update({ counter: 1_000 })
    expect(getFault(await signIn(member))).toBe('not_signed_in')
  })

  test('for a member who was removed from the only account', async () => {
    await using member = await openMemberBrowser()
    await register(member, await harness.createLink('Gone', { account: 'leaving', role: 'editor' }))
    const owner = await harness.createMemberClient({ roles: { leaving: 'owner' } })
    const memberId = getText(await member.get('/admin/v1/me'), 'member', 'member_id')
    expect((await owner.send('DELETE', `/admin/v1/accounts/leaving/members/${memberId}`)).status).toBe(200)
    expect((await member.get('/admin/v1/me')).status).toBe(401)
    expect(getFault(await signIn(member))).toBe('not_signed_in')
  })
})

test('a sensitive change after five minutes requires a confirmation with the member’s own passkey', async () => {
  await using member = await openMemberBrowser()
  await using other = await openMemberBrowser()
  await register(member, await harness.createLink('Careful', { account: 'careful', role: 'owner' }))
  await register(other, await harness.createLink('Other', { account: 'careful', role: 'owner' }))
  harness.clock.pass(301)
  const act = () => member.post('/admin/v1/accounts/careful/tokens', { name: 'CI', role: 'viewer' })
  expect(getFault(await act())).toBe('passkey_required')
  const ofOther = await other.show(await other.post('/sign-in/confirm/options'))
  expect(getFault(await member.post('/sign-in/confirm/verify', { response: ofOther }))).toBe('not_signed_in')
  expect(getFault(await act())).toBe('passkey_required')
  const response = await member.show(await member.post('/sign-in/confirm/options'))
  expect((await member.post('/sign-in/confirm/verify', { response })).status).toBe(200)
  expect((await act()).status).toBe(200)
})

test('a member adds a passkey after a confirmation, and cannot remove the last one', async () => {
  await using member = await openMemberBrowser()
  await register(member, await harness.createLink('Two keys'))
  const passkeys = async () => {
    const { body } = await member.get('/admin/v1/me')
    const listed: { passkey_id: string; name: string }[] = Reflect.get(Object(body), 'passkeys')
    return listed
  }
  const [first] = await passkeys()
  harness.clock.pass(301)
  expect(getFault(await member.post('/passkeys/options'))).toBe('passkey_required')
  await signIn(member)
  const options = await member.post('/passkeys/options')
  // A second authenticator, because the options exclude the passkey of the first one.
  await member.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: member.authenticator })
  await member.cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const response = await member.make(options)
  expect((await member.post('/passkeys/verify', { name: 'Second', response })).status).toBe(200)
  expect((await passkeys()).map(({ name }) => name)).toEqual(['My key', 'Second'])
  const remove = (id = '') =>
    member.page.evaluate(
      async (path) => (await fetch(path, { method: 'DELETE', headers: { 'x-console': '1' } })).status,
      `/admin/v1/me/passkeys/${id}`,
    )
  expect(await remove(first?.passkey_id)).toBe(200)
  const [last] = await passkeys()
  expect(await remove(last?.passkey_id)).toBe(409)
  expect((await signIn(member)).status).toBe(200)
})

test('a sign-in starts a new session and ends the previous one', async () => {
  await using member = await openMemberBrowser()
  await register(member, await harness.createLink('Rotating'))
  const [before] = (await member.context.cookies()).filter(({ name }) => name === 'console')
  await signIn(member)
  const headers = { cookie: `console=${before?.value}` }
  expect((await harness.anonymous.send('GET', '/admin/v1/me', { headers })).status).toBe(401)
})

test('repeated failures from an address get 429, but a valid passkey or link still works there', async () => {
  await using behindProxy = await startConsole({ web, environment: { TRUSTED_PROXY_HOPS: '1' } })
  await using member = await openMemberBrowser(behindProxy.url)
  const token = await behindProxy.createLink('Patient')
  const from = { 'x-forwarded-for': '192.0.2.1' }
  const guess = () => member.post('/sign-in/link', { token: 'x'.repeat(43) }, from)
  for (let attempt = 0; attempt < 120; attempt++) expect((await guess()).status).toBe(404)
  expect(await guess()).toMatchObject({ status: 429, body: { error: { name: 'too_many_requests' } } })
  const created = await member.make(await member.post('/passkeys/options', { token }, from))
  const stored = await member.post('/passkeys/verify', { token, name: 'My key', response: created }, from)
  expect(stored).toMatchObject({ status: 200 })
  expect(await member.post('/sign-out', {}, from)).toMatchObject({ status: 200 })
  const options = await member.post('/sign-in/options', {}, from)
  expect(await guess()).toMatchObject({ status: 429 })
  const response = await member.show(options)
  expect(await member.post('/sign-in/verify', { response }, from)).toMatchObject({ status: 200 })
})

test('only the newest pending sign-ins of an address are stored', async () => {
  await using alone = await startConsole()
  const startSignIn = async () => {
    alone.clock.pass(0.01)
    const { status } = await alone.anonymous.send('POST', '/sign-in/options', {
      body: {},
      headers: { 'x-console': '1', origin: alone.url },
    })
    expect(status).toBe(200)
  }
  for (let n = 0; n < 210; n++) await startSignIn()
  const expiries: Date[] = await alone.knex('challenges').orderBy('expires_at').pluck('expires_at')
  expect(expiries).toHaveLength(200)
  expect(expiries.at(-1)).toEqual(new Date(alone.clock.now.getTime() + 300_000))
})
