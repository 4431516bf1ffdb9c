import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openForTest, settled } from '#testing'
import { buildAuthenticateUrl, logIn, openTestBrowser, type ProviderName } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

const call = () => serviceStack.call()

/** The URL of a login without sign-up, or of both. */
function addressOf(path: 'authenticate' | 'authenticate/login', provider: ProviderName = 'search'): string {
  return buildAuthenticateUrl(serviceStack, site, provider).replace('/authenticate?', `/${path}?`)
}

async function countUsers(): Promise<number> {
  await using identity = openForTest(serviceStack.database_urls.identity)
  const [row] = await identity.knex('users').where({ site: site.site }).count<{ count: number }[]>()
  return Number(row?.count)
}

/** What logins have stored in provider-auth. */
async function listStored() {
  await using database = openForTest(serviceStack.database_urls.provider_auth)
  const list = (table: string, column: string) =>
    database.knex(table).where({ site: site.site }).orderBy(column).pluck(column)
  return [await list('credentials', 'link_id'), await list('one_time_tokens', 'token_hash')]
}

const failure = { status: 'failed', reason: 'user_not_found', state: 'state-of-the-application' }
const parametersOf = ({ searchParams }: URL) => Object.fromEntries(searchParams)

/** Expects that the login of an unknown person fails, and waits until the consent is withdrawn at the provider. */
async function expectUnknown(account: { user: string }, address: string): Promise<void> {
  expect(parametersOf(await logIn(openTestBrowser(), address, account))).toEqual(failure)
  await settled(serviceStack)
}

test.each<ProviderName>(['messaging', 'search', 'device', 'microblog'])(
  'a login only through %s by an unknown person fails, each time, and creates no user',
  async (provider) => {
    const [before, stored] = [await countUsers(), await listStored()]
    const account = { user: `Unknown ${randomUUID()}` }
    const address = addressOf('authenticate/login', provider)
    await expectUnknown(account, address)
    await expectUnknown(account, address)
    expect(await countUsers()).toBe(before)
    expect(await listStored()).toEqual(stored)
  },
)

test('a login only by a user succeeds and is counted, after a sign-up in between as well', async () => {
  const account = { user: `Signs up ${randomUUID()}` }
  const login = (path: Parameters<typeof addressOf>[0]) => logIn(openTestBrowser(), addressOf(path), account)
  await expectUnknown(account, addressOf('authenticate/login'))
  const redeem = async (callback: URL) => {
    const token = callback.searchParams.get('token') ?? ''
    return serviceStack.provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
  }
  const { identifier } = await redeem(await login('authenticate'))
  expect(await redeem(await login('authenticate/login'))).toMatchObject({ identifier })
  const { user } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, call())
  expect(user.login_count).toBe(2)

  await serviceStack.identity.deleteUser({ site: site.site, identifier }, call())
  // The deletion withdraws the consent as well.
  await settled(serviceStack)
  await expectUnknown(account, addressOf('authenticate/login'))
})

test('the provider may be named as in the Web API or as in the path of the authorization endpoint', async () => {
  const [asInPath, asInWebApi] = [addressOf('authenticate', 'microblog'), addressOf('authenticate', 'microblog')]
  expect(asInPath).toContain('/microblog_x/')
  for (const address of [asInPath, asInWebApi.replace('/microblog_x/', '/microblog/')])
    expect((await logIn(openTestBrowser(), address)).searchParams.get('status')).toBe('authorized')
  const authorize = site.providers.microblog.authorize_uri.replace('/microblog_x/', '/microblog/')
  expect((await fetch(authorize)).status).toBe(400)
})

test.each(['POST', 'HEAD', 'PUT'])('405 for %s', async (method) => {
  const response = await fetch(addressOf('authenticate/login'), { method, redirect: 'manual' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
})

test.each(['authenticate/registration', 'authenticate/login/', 'authenticate/Login'])('404 for %s', async (path) => {
  const address = addressOf('authenticate').replace('/authenticate?', `/${path}?`)
  expect((await fetch(address, { redirect: 'manual' })).status).toBe(404)
})
