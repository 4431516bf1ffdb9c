import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readLinkData } from '#testing'
import { buildLoginUrl, followToApplication } from './configured-login.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

interface OAuth2Server {
  readonly url: string
  readonly requests: { readonly path: string; readonly form: URLSearchParams; readonly authorization: string }[]
}

type Respond = (response: ServerResponse) => void
const json =
  (body: object, status = 200): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const html: Respond = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sorry.</p>')

const account = {
  id: 583231,
  login: 'octocat',
  name: 'The Octocat',
  email: 'octo@example.com',
  followers: 3,
  following: 9,
}
const tokens = { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' }

/** A provider like GitHub: OAuth 2.0 alone, with numbers as user IDs and tokens that do not expire. */
async function startServer(
  changes: { readonly token?: Respond; readonly user?: Respond; readonly emails?: Respond } = {},
): Promise<OAuth2Server> {
  const { token = json(tokens), user = json(account), emails = json([]) } = changes
  const requests: OAuth2Server['requests'] = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const form = request.method === 'POST' ? new URLSearchParams(await text(request)) : searchParams
    requests.push({ path: pathname, form, authorization: request.headers.authorization ?? '' })
    if (pathname === '/authorize') {
      const callback = new URL(searchParams.get('redirect_uri') ?? '')
      callback.searchParams.set('code', 'c')
      callback.searchParams.set('state', searchParams.get('state') ?? '')
      response.writeHead(302, { location: callback.href }).end()
    } else if (pathname === '/token') token(response)
    else if (pathname === '/user') user(response)
    else if (pathname === '/emails') emails(response)
    else response.writeHead(200).end()
  }
  const server = createServer((request, response) => void respond(request, response)).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`, requests }
}

async function configure(name: string, { url }: OAuth2Server, changes: object = {}): Promise<string> {
  const { account: customer, site_id } = site
  const saved = await serviceStack.provider_auth.changeProviderSettings(
    {
      site: site.site,
      account: customer,
      site_id,
      provider: name,
      expected_revision: 0,
      client_id: 'app',
      client_secret: 'secret',
      definition: {
        display_name: { en: 'Octo' },
        protocol: {
          type: 'oauth2',
          endpoints: {
            authorization: `${url}/authorize`,
            token: `${url}/token`,
            user: `${url}/user`,
            revocation: `${url}/revoke`,
          },
          scope_separator: ',',
          scopes: { always: [], profile: ['read:user'], email: ['user:email'] },
          parameters: { allow_signup: 'false' },
          claims: {
            profile: { full_name: '/name', user_name: '/login' },
            email: { address: '/email', verified: true },
            follow: { followed_by: '/followers', following: '/following' },
          },
          ...changes,
        },
      },
    },
    serviceStack.call(),
  )
  return saved.authorize_uri ?? ''
}

const logIn = (authorizeUri: string, scope = 'openid profile email') =>
  followToApplication(site, buildLoginUrl(site, authorizeUri, scope))

test('a provider of OAuth 2.0 is described by its addresses, scopes and claims', async () => {
  const server = await startServer()
  const identifier = await application.userOf(await logIn(await configure('octo', server)))
  const [authorization, token, user] = server.requests
  expect(authorization?.form.get('scope')).toBe('read:user,user:email')
  expect(authorization?.form.get('allow_signup')).toBe('false')
  expect(authorization?.form.get('code_challenge_method')).toBe('S256')
  expect(Object.fromEntries(token?.form ?? [])).toMatchObject({ client_id: 'app', client_secret: 'secret', code: 'c' })
  expect(user?.authorization).toBe('Bearer gho_1')

  const { links, data, credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(links).toMatchObject([{ provider: 'octo', provider_user_id: '583231' }])
  expect(data.octo).toMatchObject({
    profile: { full_name: 'The Octocat', user_name: 'octocat' },
    email: [{ email: 'octo@example.com', verified: true }],
    follow: { followed_by: 3, following: 9 },
  })
  expect(credentials.octo).toMatchObject({ access_token: 'gho_1', refresh_token: null, expires_at: null })
})

test('a lifetime that is a text is one', async () => {
  const server = await startServer({ token: json({ ...tokens, expires_in: '3600' }) })
  const identifier = await application.userOf(await logIn(await configure('lifetime', server)))
  const { credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
  expect(credentials.lifetime?.expires_at).toEqual(expect.any(String))
})

test.each<[string, string, { token?: Respond; user?: Respond }]>([
  ['an error with status 200', 'error_200', { token: json({ error: 'bad_verification_code' }) }],
  ['a page instead of tokens', 'page_token', { token: html }],
  ['a page instead of the account', 'page_user', { user: html }],
  ['an account without an ID', 'without_id', { user: json({ login: 'octocat' }) }],
  ['an account whose ID is an object', 'object_id', { user: json({ ...account, id: {} }) }],
  ['an error instead of the account', 'error_user', { user: json({ message: 'Bad credentials' }, 401) }],
])('%s ends the login with server_error', async (_, name, changes) => {
  const callback = await logIn(await configure(name, await startServer(changes)))
  expect(callback.searchParams.get('error')).toBe('server_error')
})

test('what end users granted is revoked when they are deleted', async () => {
  const server = await startServer()
  const identifier = await application.userOf(await logIn(await configure('revocable', server)))
  const { links } = await readLinkData(serviceStack, { site: site.site, identifier })
  await serviceStack.provider_auth.deleteLinks(
    {
      site: site.site,
      identifier,
      link_ids: links.map(({ link_id }) => link_id),
      deleted_at: new Date().toISOString(),
    },
    serviceStack.call(),
  )
  await expect.poll(() => server.requests.find(({ path }) => path === '/revoke')?.form.get('token')).toBe('gho_1')
})

describe('a further resource', () => {
  const own = { email: 'octo@example.com', verified: true, primary: true }
  const list = json([{ ...own, email: 'other@example.com', primary: false }, own])
  const changesFor = ({ url }: OAuth2Server) => ({
    resources: { emails: `${url}/emails` },
    claims: {
      profile: { full_name: '/name' },
      email: { list: '/emails', address: '/email', verified: '/verified', if: '/primary' },
    },
  })

  test('supplies its items, which stay when it fails later', async () => {
    let emails = list
    const server = await startServer({ emails: (response) => emails(response) })
    const uri = await configure('further', server, changesFor(server))
    const identifier = await application.userOf(await logIn(uri))
    const read = async () => (await readLinkData(serviceStack, { site: site.site, identifier })).data.further?.email
    expect(await read()).toMatchObject([{ email: 'octo@example.com', verified: true }])
    for (const failing of [json({}, 500), html, json({ error: 'scope' }, 403)]) {
      emails = failing
      expect(await application.userOf(await logIn(uri))).toBe(identifier)
      expect(await read()).toMatchObject([{ email: 'octo@example.com', verified: true }])
    }
    emails = json([])
    await application.userOf(await logIn(uri))
    expect(await read()).toEqual([])
  })

  test('is requested only if a granted scope covers what it supplies', async () => {
    const server = await startServer({ emails: list })
    await application.userOf(
      await logIn(await configure('further_unused', server, changesFor(server)), 'openid profile'),
    )
    expect(server.requests.map(({ path }) => path)).toEqual(['/authorize', '/token', '/user'])
  })
})

test('the requests of a test login are shown without tokens, however deep', async () => {
  const secret = { data: { access_token: 'gho_nested', list: [{ client_secret: 's3cret' }] } }
  const server = await startServer({ token: json({ ...tokens, ...secret }), user: json({ message: 'none' }) })
  const uri = await configure('traced', server)
  const key = { site: site.site, provider: 'traced', by: 'member 1' }
  const { state } = await serviceStack.provider_auth.beginTestLogin(key, serviceStack.call())
  const address = new URL(buildLoginUrl(site, uri, 'openid'))
  address.searchParams.set('state', state)
  await followToApplication(site, address.href)
  const outcome = await serviceStack.provider_auth.readTestLogin({ ...key, state }, serviceStack.call())
  expect(outcome).toMatchObject({
    outcome: 'failed',
    advice: 'user_id',
    exchanges: [
      { address: `${server.url}/token`, status: 200, fields: { access_token: '…', scope: tokens.scope } },
      { address: `${server.url}/user`, status: 200, fields: { message: 'none' } },
    ],
  })
  expect(JSON.stringify(outcome)).not.toMatch(/gho_|s3cret/)
})
