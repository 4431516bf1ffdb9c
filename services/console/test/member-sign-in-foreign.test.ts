import { afterAll, beforeAll, expect, test } from 'vitest'
import { startForeignProvider } from '../../provider-auth/test/foreign-provider.ts'
import { createAccountWithProvider } from './account-provider.ts'
import { getText, type Harness, startConsole } from './harness.ts'
import { startTestProvider } from './openid-provider.ts'

let stack: AsyncDisposableStack
let harness: Harness
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  harness = stack.use(await startConsole())
  harness.clock.now = new Date()
})
afterAll(() => stack.disposeAsync())

/** Follows redirects with a cookie jar until an address of the console's callback. */
async function followToCallback(start: string, cookies = new Map<string, string>()): Promise<string> {
  for (let address = start, step = 0; step < 10; step++) {
    if (address.startsWith(harness.url)) return address
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const field of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${address} has no redirect: ${response.status} ${await response.text()}`)
    address = new URL(location, address).href
  }
  throw new Error('too many redirects')
}

const secret = 'a-secret-of-the-provider-and-of-the-console'

test.each([
  ['in userinfo, as node-oidc-provider sends it', true],
  ['in the ID Token', false],
])('a member signs in at node-oidc-provider, with e-mail address and roles %s', async (_, conformIdTokenClaims) => {
  await using placeholder = await startTestProvider({ client_id: 'console' })
  const company = await createAccountWithProvider(harness, placeholder)
  const claims = {
    email: `hana@${company.domain}`,
    email_verified: true,
    name: 'Hanako',
    // The shape of Keycloak.
    realm_access: { roles: ['offline_access', 'shop-admin'] },
  }
  await using foreign = await startForeignProvider({
    clients: [
      {
        client_id: 'console',
        client_secret: secret,
        redirect_uris: [`${harness.url}/sign-in/accounts/${company.account}/callback`],
      },
    ],
    claims: { openid: ['sub', 'realm_access'], email: ['email', 'email_verified'], profile: ['name'] },
    scopes: ['openid', 'email', 'profile'],
    conformIdTokenClaims,
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ ...claims, sub: accountId }) }),
  })
  const saved = await company.save({
    issuer: foreign.url,
    client_secret: secret,
    client_authentication: 'client_secret_basic',
    role_claim: 'realm_access.roles',
    role_rules: [{ value: 'shop-admin', role: 'owner' }],
  })
  expect(saved.status).toBe(200)
  const started = await harness.anonymous.send('POST', '/sign-in/find', {
    body: { email: claims.email },
    headers: { 'x-console': '1', origin: harness.url },
  })
  const [browser = ''] = started.headers.getSetCookie().map((field) => field.split(';')[0] ?? '')
  const callback = await followToCallback(getText(started, 'location') ?? '')
  const response = await fetch(callback, { redirect: 'manual', headers: { cookie: browser } })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  const cookie = response.headers
    .getSetCookie()
    .map((field) => field.split(';')[0])
    .join('; ')
  expect(await harness.anonymous.send('GET', '/admin/v1/me', { headers: { cookie } })).toMatchObject({
    body: { member: { name: 'Hanako', roles: [{ account: company.account, site_id: null, role: 'owner' }] } },
  })
})
