import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readLinkData } from '#testing'
import { buildLinkUrl, openTestBrowser, submitLinkDecision } from './browser.ts'
import { createNativeAppFixture, type NativeProvider } from './native-app.ts'

const { serviceStack, site, app } = createNativeAppFixture()

const call = () => serviceStack.call()
const newAccount = () => `Links ${randomUUID()}`

async function createUser(): Promise<string> {
  const links = [{ provider: 'microblog', provider_user_id: randomUUID() } as const]
  const { user } = await serviceStack.identity.createUser({ site: site.site, links }, call())
  return user.identifier
}

function issueToken(identifier: string, provider: NativeProvider) {
  return serviceStack.provider_auth.issueAssociationToken({ site: site.site, identifier, provider }, call())
}

test('links the account with the app’s tokens to the user of an association token; that is no login', async () => {
  const identifier = await createUser()
  const { token } = await issueToken(identifier, 'portal')
  const { access_token, refresh_token, id_token } = await app.logInBySdk('portal', { user: newAccount() })
  const body = { access_token, refresh_token, id_token, association_token: token }
  expect(await app.redeem(await app.fetchToken('portal', body))).toBe(identifier)
  const { credentials, links } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(links.map(({ provider }) => provider).sort()).toEqual(['microblog', 'portal'])
  expect(credentials.portal).toMatchObject({
    access_token: null,
    refresh_token: null,
    expires_at: null,
    client_access_token: access_token,
    client_refresh_token: refresh_token,
    client_expires_at: null,
  })
  const { user } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, call())
  expect(user).toMatchObject({ login_count: 0, last_logged_in_at: null })
})

describe('rejected, and nothing is linked', () => {
  const expectRejection = async (provider: NativeProvider, body: object, status: number, text: string) => {
    const response = await app.inject(provider, body)
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { error: 'invalid_request', error_description: expect.stringContaining(text) },
    ])
  }
  const newIdToken = async (provider: NativeProvider, user = newAccount()) =>
    (await app.logInBySdk(provider, { user })).id_token

  test('a token that is unknown, used, for another provider, or confirmed in a browser', async () => {
    const invalid = 'The association token is invalid or has expired.'
    const first = { id_token: await newIdToken('search'), association_token: 'slas_unknown' }
    await expectRejection('search', first, 400, invalid)

    const { token } = await issueToken(await createUser(), 'search')
    const other = { id_token: await newIdToken('portal'), association_token: token }
    await expectRejection('portal', other, 400, invalid)
    // The ID Token of a rejected link is not used.
    expect(await app.fetchToken('search', { ...first, association_token: token })).toMatch(/^slot_/)
    await expectRejection('search', { id_token: await newIdToken('search'), association_token: token }, 400, invalid)

    const opened = await issueToken(await createUser(), 'search')
    await submitLinkDecision(openTestBrowser(), buildLinkUrl(opened.authenticate_uri, site))
    const body = { id_token: await newIdToken('search'), association_token: opened.token }
    await expectRejection('search', body, 400, invalid)
  })

  test('an account of another user', async () => {
    const account = newAccount()
    await app.fetchToken('search', { id_token: await newIdToken('search', account) })
    const { token } = await issueToken(await createUser(), 'search')
    const body = { id_token: await newIdToken('search', account), association_token: token }
    await expectRejection('search', body, 409, 'The account belongs to another user of the site.')
  })

  test('a second account of the provider', async () => {
    const identifier = await createUser()
    const { token } = await issueToken(identifier, 'search')
    const linked = { provider: 'search', provider_user_id: randomUUID() } as const
    await serviceStack.identity.linkAccount({ site: site.site, identifier, ...linked, command: randomUUID() }, call())
    const body = { id_token: await newIdToken('search'), association_token: token }
    await expectRejection('search', body, 409, 'The user has linked an account of this provider.')
  })
})
