import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAccountWithProvider } from './account-provider.ts'
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
const conflict = (reason: string) => ({ status: 409, body: { error: { name: 'conflict', reason } } })

/** An account whose members must sign in at its provider, and its owner there. */
async function createRequired() {
  const company = await create()
  const { browser } = await company.signIn('boss', { groups: ['admins'] })
  expect((await company.save({ required: true })).status).toBe(200)
  return { ...company, boss: browser, path: `/admin/v1/accounts/${company.account}` }
}

describe('a provider can be required', () => {
  test('only after an owner signed in at it', async () => {
    const { save, signIn } = await create()
    expect(await save({ required: true })).toMatchObject(conflict('no_owner_by_provider'))
    await signIn('staff')
    expect(await save({ required: true })).toMatchObject(conflict('no_owner_by_provider'))
    await signIn('boss', { groups: ['admins'] })
    expect((await save({ required: true })).status).toBe(200)
  })

  test('and then another issuer cannot be set until an owner has signed in there', async () => {
    const { boss, path } = await createRequired()
    await using other = await startTestProvider({ client_id: 'console' })
    const { body } = await boss.send('GET', `${path}/sign-in`)
    const { provider: settings, revision } = Object(body)
    const changed = { ...settings, issuer: other.url, client_secret: 'secret' }
    expect(await boss.send('PUT', `${path}/sign-in`, changed, revision)).toMatchObject(conflict('no_owner_by_provider'))
    expect((await boss.me()).status).toBe(200)
  })
})

describe('if the provider is required', () => {
  test('a session by passkey enters other accounts only, and the message says how to sign in', async () => {
    const { account, path } = await createRequired()
    const member = await harness.createMemberClient({ roles: { [account]: 'owner', elsewhere: 'viewer' } })
    expect(await member.send('GET', `${path}/members`)).toMatchObject({
      status: 403,
      body: {
        error: { name: 'not_allowed', reason: 'account_provider_required', message: expect.stringContaining(account) },
      },
    })
    expect((await member.send('GET', '/admin/v1/accounts/elsewhere/members')).status).toBe(200)
    const ofSite = await harness.createMemberClient({ site_roles: { [account]: { shop: 'owner' } } })
    expect(await ofSite.send('GET', `${path}/sites/shop`)).toMatchObject({
      body: { error: { reason: 'account_provider_required' } },
    })
  })

  test('invitations are neither created nor accepted', async () => {
    const company = await create()
    const token = await harness.createLink('Ida', { account: company.account, role: 'owner' })
    const { browser: boss } = await company.signIn('boss', { groups: ['admins'] })
    await company.save({ required: true })
    const path = `/admin/v1/accounts/${company.account}/invitations`
    expect(await boss.send('POST', path, { name: 'Ida', role: 'viewer' })).toMatchObject(
      conflict('account_invitations_off'),
    )
    const joining = await harness.createMemberClient({ roles: { elsewhere: 'viewer' } })
    const joined = await joining.send('POST', '/sign-in/join', { body: { token } })
    expect(joined).toMatchObject(conflict('account_invitations_off'))
  })

  test('the last owner who can sign in stays, and so does the last domain', async () => {
    const { boss, path, domain } = await createRequired()
    const memberId = getText(await boss.me(), 'member', 'member_id')
    expect(await boss.send('DELETE', `${path}/members/${memberId}`)).toMatchObject(conflict('last_owner'))
    expect(await boss.send('DELETE', `${path}/sign-in/domains/${domain}`)).toMatchObject(conflict('last_domain'))
  })

  test('tokens of automation work, and an operator lifts it', async () => {
    const { account, path, owner } = await createRequired()
    const token = await harness.createTokenClient(account, 'owner')
    expect((await token.send('GET', `${path}/members`)).status).toBe(200)
    const operator = await harness.createMemberClient({ operator: true, roles: { [account]: 'viewer' } })
    const { body } = await operator.send('GET', `${path}/sign-in`)
    const { provider: settings, revision } = Object(body)
    // Also while the provider is unavailable.
    provider.metadata = { issuer: 'https://gone.example' }
    const lifted = await operator.send('PUT', `${path}/sign-in`, {
      body: { ...settings, required: false },
      headers: { 'if-match': `"${revision}"` },
    })
    provider.metadata = {}
    expect(lifted.status).toBe(200)
    expect((await owner.send('GET', `${path}/members`)).status).toBe(200)
  })

  test('sensitive changes are confirmed at the provider, by the same member', async () => {
    const { boss, path } = await createRequired()
    harness.clock.pass(400)
    const issue = () => boss.send('POST', `${path}/tokens`, { name: 'CI', role: 'viewer' })
    expect(getFault(await issue())).toBe('passkey_required')
    const confirm = async (user: object) => {
      provider.user = { sub: 'boss', ...user }
      return boss.comeBack(await boss.leave({ confirm: true, return_to: '/tokens' }))
    }
    expect(await confirm({ sub: 'other', auth_time: harness.clock.now })).toBe('/sign-in?error=not_signed_in')
    expect(await confirm({})).toBe('/sign-in?error=passkey_required')
    expect(await confirm({ auth_time: harness.clock.now })).toBe('/tokens')
    expect(provider.lastRequest.get('max_age')).toBe('0')
    expect((await issue()).status).toBe(200)
  })
})

describe('the settings', () => {
  test('have no secret in answers and in the audit trail, and the database has it encrypted', async () => {
    const { account, owner } = await create({ client_secret: 'do-not-show-this' })
    const path = `/admin/v1/accounts/${account}`
    const answers = [await owner.send('GET', `${path}/sign-in`), await owner.send('GET', `${path}/audit`)]
    expect(JSON.stringify(answers)).not.toContain('do-not-show-this')
    const row = await harness.knex('account_providers').where({ account }).first('client_secret_encrypted')
    expect(row.client_secret_encrypted.toString('latin1')).not.toContain('do-not-show-this')
  })

  test('keep the secret, but never send it to another issuer', async () => {
    const { save, owner, account } = await create()
    expect((await save({ client_secret: undefined, trust_email: true })).status).toBe(200)
    await using other = await startTestProvider({ client_id: 'console' })
    expect(await save({ issuer: other.url })).toMatchObject({
      status: 400,
      body: { error: { field: 'client_secret', reason: 'new_client_secret' } },
    })
    expect(other.requests).toEqual([])
    expect(await owner.send('GET', `/admin/v1/accounts/${account}/sign-in`)).toMatchObject({
      body: { provider: { issuer: provider.url } },
    })
  })

  test.each([
    ['https://login.microsoftonline.com/common/v2.0', 'issuer_of_all_tenants'],
    ['https://login.microsoftonline.com/organizations/v2.0', 'issuer_of_all_tenants'],
    ['https://10.0.0.1', 'issuer_not_public'],
    ['https://169.254.169.254/latest', 'issuer_not_public'],
  ])('reject the issuer %s', async (issuer, reason) => {
    const { save } = await create()
    expect(await save({ issuer, client_secret: 'secret' })).toMatchObject({
      status: 400,
      body: { error: { field: 'issuer', reason } },
    })
  })

  test('reject an issuer whose discovery document states another one', async () => {
    const { save } = await create()
    const saved = await save({ issuer: `${provider.url}/other`, client_secret: 'secret' })
    expect(saved).toMatchObject({ status: 400, body: { error: { field: 'issuer', reason: 'issuer_unreachable' } } })
  })

  test('with another client ID, and their removal, end the sessions of the members of the provider', async () => {
    const { save, signIn, owner, account } = await create()
    const { browser } = await signIn('ada')
    await save({ client_id: 'another', client_secret: 'secret' })
    expect((await browser.me()).status).toBe(401)
    await save({ client_id: 'console', client_secret: 'secret' })
    const { browser: again } = await signIn('ada')
    const { body } = await owner.send('GET', `/admin/v1/accounts/${account}/sign-in`)
    const removed = await owner.send('DELETE', `/admin/v1/accounts/${account}/sign-in`, {
      headers: { 'if-match': `"${Reflect.get(Object(body), 'revision')}"` },
    })
    expect(removed.status).toBe(200)
    expect((await again.me()).status).toBe(401)
  })
})

describe('a test', () => {
  test('of claims shows the roles that they would give', async () => {
    const { account, domain, owner } = await create({
      role_claim: 'realm_access.roles',
      role_rules: [
        { value: 'shop', role: 'viewer' },
        { value: 'lead', role: 'owner' },
      ],
    })
    const preview = (claims: object) =>
      owner.send('POST', `/admin/v1/accounts/${account}/sign-in/preview`, { body: { claims } })
    const email = { email: `a@${domain}`, email_verified: true }
    expect(await preview({ ...email, realm_access: { roles: ['shop', 'lead'] } })).toMatchObject({
      body: { role: 'owner', values: ['shop', 'lead'], problem: null },
    })
    expect(await preview({ ...email, realm_access: { roles: [] } })).toMatchObject({
      body: { role: null, problem: { reason: 'sign_in_role_missing', parameters: { claim: 'realm_access.roles' } } },
    })
  })

  test('at the provider shows what it sent and the roles, and signs no one in', async () => {
    const { account, domain, owner } = await create()
    provider.user = { sub: 'ada', claims: { email: `ada@${domain}`, email_verified: true, groups: ['admins'] } }
    const browser = openProviderBrowser(harness)
    const started = await owner.send('POST', '/sign-in/test', { body: { account } })
    const [cookie = ''] = started.headers.getSetCookie().map((field) => field.split(';')[0])
    const back = await fetch(getText(started, 'location') ?? '', { redirect: 'manual' })
    const callback = back.headers.get('location') ?? ''
    const response = await fetch(callback, { redirect: 'manual', headers: { cookie: cookie ?? '' } })
    const next = response.headers.get('location') ?? ''
    expect(next).toMatch(new RegExp(`^/accounts/${account}/sign-in\\?test=`))
    expect(response.headers.getSetCookie().join()).not.toContain('console=')
    const testId = new URLSearchParams(next.split('?')[1]).get('test')
    expect(await owner.send('GET', `/admin/v1/accounts/${account}/sign-in/tests/${testId}`)).toMatchObject({
      status: 200,
      body: {
        subject: 'ada',
        email_verified: true,
        role: 'owner',
        problem: null,
        claims: expect.arrayContaining(['groups']),
      },
    })
    expect(await harness.knex('members').where({ managed_by: account })).toEqual([])
    expect((await browser.post('/sign-in/test', { account })).status).toBe(401)
    const viewer = await harness.createMemberClient({ roles: { [account]: 'viewer' } })
    expect((await viewer.send('POST', '/sign-in/test', { body: { account } })).status).toBe(404)
    harness.clock.pass(601)
    expect((await owner.send('GET', `/admin/v1/accounts/${account}/sign-in/tests/${testId}`)).status).toBe(404)
  })
})
