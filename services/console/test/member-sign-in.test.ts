import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAccountWithProvider, getReason, readRoles } from './account-provider.ts'
import { getFault, getText, type Harness, startConsole } from './harness.ts'
import { startTestProvider, type TestProvider } from './openid-provider.ts'
import { openProviderBrowser } from './provider-browser.ts'

let stack: AsyncDisposableStack
let provider: TestProvider
let harness: Harness
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  provider = stack.use(await startTestProvider({ client_id: 'console' }))
  harness = stack.use(await startConsole())
})
beforeEach(() => {
  harness.clock.now = new Date()
})
afterAll(() => stack.disposeAsync())

const create = (settings: object = {}) => createAccountWithProvider(harness, provider, settings)

describe('a member signs in at the provider of the account', () => {
  test('with an e-mail address of a proven domain; the first sign-in creates the member with the roles of the claims', async () => {
    const { account, signIn, owner } = await create()
    const { browser, next } = await signIn('ada', { name: 'Ada Lovelace' })
    expect(next).toBe('/')
    expect(await browser.me()).toMatchObject({
      body: { member: { name: 'Ada Lovelace', operator: false, roles: [{ account, site_id: null, role: 'viewer' }] } },
    })
    expect(provider.lastRequest.get('code_challenge_method')).toBe('S256')
    expect(provider.lastRequest.get('login_hint')).toMatch(/^ada@/)
    expect(provider.lastRequest.get('redirect_uri')).toBe(`${harness.url}/sign-in/accounts/${account}/callback`)
    const { body } = await owner.send('GET', `/admin/v1/accounts/${account}/audit`)
    const entries: { action: string }[] = Reflect.get(Object(body), 'entries')
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'signIn', after: { by: 'account_provider' } },
      { action: 'joinByProvider', actor: 'Ada Lovelace', after: { role: 'viewer', site_roles: {} } },
    ])
  })

  test('again as the same member, and returns to the page that was requested', async () => {
    const { signIn, domain } = await create()
    const { browser } = await signIn('ada')
    const [first, again] = [await browser.me(), openProviderBrowser(harness)]
    const wish = { email: `x@${domain}`, return_to: '/accounts?page=2' }
    expect(await again.comeBack(await again.leave(wish, '/sign-in/find'))).toBe('/accounts?page=2')
    expect(getText(await again.me(), 'member', 'member_id')).toBe(getText(first, 'member', 'member_id'))
  })

  test('with claims of userinfo, if the ID Token does not have them', async () => {
    const { account, domain } = await create()
    const email = `thin@${domain}`
    provider.user = { sub: 'thin', userinfo: { email, email_verified: true, groups: ['admins'] } }
    const browser = openProviderBrowser(harness)
    expect(await browser.comeBack(await browser.leave({ email }, '/sign-in/find'))).toBe('/')
    expect(await readRoles(browser)).toEqual([{ account, site_id: null, role: 'owner' }])
  })
})

describe('roles by claim', () => {
  test('take effect in every session with the next request after a sign-in, and a removed group removes the member', async () => {
    const { account, signIn, owner } = await create()
    const first = await signIn('grace', { groups: ['admins'] })
    const path = `/admin/v1/accounts/${account}/members`
    const issued = await first.browser.send('POST', `/admin/v1/accounts/${account}/tokens`, {
      name: 'CI',
      role: 'owner',
    })
    expect(issued.status).toBe(200)
    await signIn('grace', { groups: ['staff'] })
    expect(await readRoles(first.browser)).toEqual([{ account, site_id: null, role: 'viewer' }])
    const authorization = `Bearer ${getText(issued, 'token')}`
    expect((await harness.anonymous.send('GET', path, { headers: { authorization } })).status).toBe(401)
    const removed = await signIn('grace', { groups: ['other'] })
    expect(getReason(removed.next)).toBe('sign_in_role_missing')
    expect((await first.browser.me()).status).toBe(401)
    const { body } = await owner.send('GET', path)
    expect(JSON.stringify(body)).not.toContain('grace')
  })

  test('cannot be changed by hand', async () => {
    const { account, signIn, owner } = await create()
    const { browser } = await signIn('joan')
    const memberId = getText(await browser.me(), 'member', 'member_id')
    const changed = await owner.send('PUT', `/admin/v1/accounts/${account}/members/${memberId}`, {
      body: { role: 'owner' },
    })
    expect(changed).toMatchObject({ status: 409, body: { error: { reason: 'roles_by_claim' } } })
  })

  test('without a claim, the default role lets members in, and owners change it', async () => {
    const { account, signIn, owner } = await create({ role_claim: null, default_role: 'viewer' })
    const { browser } = await signIn('mary')
    const memberId = getText(await browser.me(), 'member', 'member_id')
    const path = `/admin/v1/accounts/${account}/members/${memberId}`
    expect((await owner.send('PUT', path, { body: { role: 'editor' } })).status).toBe(200)
    await signIn('mary')
    expect(await readRoles(browser)).toEqual([{ account, site_id: null, role: 'editor' }])
  })
})

describe('a sign-in is rejected with what to change', () => {
  test.each([
    ['an unverified e-mail address', { email_verified: false }, 'sign_in_email_unverified'],
    ['no statement about the e-mail address', { email_verified: undefined }, 'sign_in_email_unverified'],
    ['no e-mail address', { email: undefined }, 'sign_in_email_missing'],
    ['an e-mail address that is no text', { email: ['a@b.example'] }, 'sign_in_email_missing'],
    ['an e-mail address of another domain', { email: 'eve@evil.example' }, 'sign_in_domain_differs'],
    ['a role claim that is no list of texts', { groups: [{ name: 'admins' }] }, 'sign_in_claim_type'],
    ['a role claim that is a number', { groups: 7 }, 'sign_in_claim_type'],
    ['no role claim', { groups: undefined }, 'sign_in_claim_missing'],
    ['groups that give no role', { groups: ['guests'] }, 'sign_in_role_missing'],
    [
      'too many groups for a token of Entra ID',
      { groups: undefined, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph' } } },
      'sign_in_groups_overage',
    ],
  ])('%s', async (_, claims, reason) => {
    const { signIn } = await create()
    const { browser, next } = await signIn('eve', claims)
    expect(getReason(next)).toBe(reason)
    expect((await browser.me()).status).toBe(401)
  })

  test('an unverified address is accepted if the owner trusts the provider', async () => {
    const { signIn } = await create({ trust_email: true })
    expect((await signIn('paul', { email_verified: undefined })).next).toBe('/')
  })
})

describe('an attack fails:', () => {
  test('the provider of an account signs in no member of another account, also with the same sub, issuer and e-mail address', async () => {
    const [victim, attacker] = [await create(), await create()]
    const { browser } = await victim.signIn('root', { groups: ['admins'] })
    const operator = await harness.createMemberClient({ name: 'root', operator: true })
    expect((await attacker.signIn('root', { groups: ['admins'] })).next).toBe('/')
    const foreign = await attacker.signIn('root', { groups: ['admins'], email: `root@${victim.domain}` })
    expect(getReason(foreign.next)).toBe('sign_in_domain_differs')
    const { browser: attacking } = await attacker.signIn('root', { groups: ['admins'] })
    const me = await attacking.me()
    expect(me).toMatchObject({ body: { member: { operator: false, roles: [{ account: attacker.account }] } } })
    expect(getText(me, 'member', 'member_id')).not.toBe(getText(await browser.me(), 'member', 'member_id'))
    expect(getText(me, 'member', 'member_id')).not.toBe(operator.member_id)
    expect((await attacking.send('GET', `/admin/v1/accounts/${victim.account}/members`)).status).toBe(404)
  })

  test('a response for one account is not accepted for another one (mix-up), nor twice, nor in another browser', async () => {
    const [honest, evil] = [await create(), await create()]
    const email = `ada@${honest.domain}`
    provider.user = { sub: 'ada', claims: { email, email_verified: true, groups: ['admins'] } }
    const browser = openProviderBrowser(harness)
    const callback = await browser.leave({ email }, '/sign-in/find')
    const failed = '/sign-in?error=not_signed_in'
    expect(await browser.comeBack(callback.replace(honest.account, evil.account))).toBe(failed)
    expect(await openProviderBrowser(harness).comeBack(callback)).toBe(failed)
    expect(await browser.comeBack(callback)).toBe('/')
    expect(await browser.comeBack(callback)).toBe(failed)
  })

  test('a response after a change of the settings is not accepted', async () => {
    const { domain, save } = await create()
    const browser = openProviderBrowser(harness)
    const callback = await browser.leave({ email: `a@${domain}` }, '/sign-in/find')
    expect((await save({ trust_email: true })).status).toBe(200)
    expect(getReason(await browser.comeBack(callback))).toBe('sign_in_settings_changed')
  })

  test.each([
    ['forged', { forged: true }],
    ['for another client', { audience: 'other' }],
    ['with another nonce', { nonce: 'x' }],
  ])('an ID Token %s is not accepted', async (_, user) => {
    const { domain } = await create()
    provider.user = { sub: 'ada', claims: { email: `a@${domain}`, email_verified: true, groups: ['admins'] }, ...user }
    const browser = openProviderBrowser(harness)
    const next = await browser.comeBack(await browser.leave({ email: `a@${domain}` }, '/sign-in/find'))
    expect(getReason(next)).toBe('sign_in_provider_rejected')
  })

  test('the page to return to must be one of the console', async () => {
    const { domain } = await create()
    for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const response = await openProviderBrowser(harness).post('/sign-in/find', {
        email: `a@${domain}`,
        return_to: returnTo,
      })
      expect(getFault(response), returnTo).toBe('invalid_request')
    }
  })

  test('an authorization endpoint that is a script is not opened', async () => {
    provider.metadata = { authorization_endpoint: 'javascript:alert(1)' }
    const { domain } = await create()
    const response = await openProviderBrowser(harness).post('/sign-in/find', { email: `a@${domain}` })
    provider.metadata = {}
    expect(getFault(response)).not.toBeUndefined()
    expect(getText(response, 'location')).toBeUndefined()
  })

  test('a member of the provider adds no passkey and joins no other account', async () => {
    const { signIn } = await create()
    const { browser } = await signIn('ada')
    const managed = { status: 403, body: { error: { reason: 'managed_member' } } }
    expect(await browser.post('/passkeys/options')).toMatchObject(managed)
    const token = await harness.createLink('Ada', { account: 'elsewhere', role: 'owner' })
    expect(await browser.post('/sign-in/join', { token })).toMatchObject(managed)
  })

  test('a domain without a proof, or whose proof belongs to another account, finds no provider', async () => {
    const { account, domain, owner } = await create()
    await owner.send('POST', `/admin/v1/accounts/${account}/sign-in/domains`, { body: { domain: 'bank.example' } })
    const find = (email: string) => openProviderBrowser(harness).post('/sign-in/find', { email })
    expect((await find('ceo@bank.example')).body).toEqual({ location: null })
    expect((await find('ceo@unknown.example')).body).toEqual({ location: null })
    const other = await create()
    await other.owner.send('POST', `/admin/v1/accounts/${other.account}/sign-in/domains`, { body: { domain } })
    const operator = await harness.createMemberClient({ operator: true })
    const path = `/admin/v1/accounts/${other.account}/sign-in/domains/${domain}/confirmation`
    expect(await operator.send('POST', path, { body: {} })).toMatchObject({
      status: 409,
      body: { error: { reason: 'domain_of_another_account' } },
    })
  })
})
