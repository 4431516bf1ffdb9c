import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import type { Configuration } from 'oidc-provider'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Fault, limits, type ProviderSettings } from '#contracts'
import { readLinkData, type SharedStack, seedSite } from '#testing'
import { buildLoginUrl, followToApplication } from './configured-login.ts'
import { type ForeignProvider, foreignUser, startForeignProvider } from './foreign-provider.ts'
import { createSiteFixture } from './site-fixture.ts'

type Change = Parameters<SharedStack['provider_auth']['changeProviderSettings']>[0]
type Protocol = NonNullable<Change['definition']>['protocol']

const { serviceStack, site, application } = createSiteFixture()

const client = { client_id: 'login-service', client_secret: randomBytes(32).toString('base64url') }

/** A provider of others that knows the callback URL of a name. */
async function startProviderFor(name: string, changes: Configuration = {}): Promise<ForeignProvider> {
  const { provider_callback } = await readSettings(name)
  const clients = [
    { ...client, redirect_uris: [provider_callback], grant_types: ['authorization_code', 'refresh_token'] },
  ]
  const foreign = await startForeignProvider({ clients, ...changes })
  onTestFinished(() => foreign[Symbol.asyncDispose]())
  return foreign
}

function readSettings(provider: string): Promise<ProviderSettings> {
  return serviceStack.provider_auth.readProviderSettings({ site: site.site, provider }, serviceStack.call())
}

/** Saves settings with a definition, and returns them, or why they are rejected. */
async function save(provider: string, protocol: Protocol, changes: Partial<Change> = {}) {
  const { account, site_id } = site
  const { revision } = await readSettings(provider)
  const settings: Change = {
    site: site.site,
    account,
    site_id,
    provider,
    expected_revision: revision,
    ...client,
    definition: { display_name: { en: 'Example', ja: '例' }, protocol },
    ...changes,
  }
  return serviceStack.provider_auth.changeProviderSettings(settings, serviceStack.call()).catch((error: unknown) => {
    if (error instanceof Fault) return error.fields ?? error.fault
    throw error
  })
}

async function logIn(provider: string, scope = 'openid profile email phone address'): Promise<URL> {
  const { authorize_uri } = await readSettings(provider)
  return followToApplication(site, buildLoginUrl(site, authorize_uri ?? '', scope))
}

const oidc = (issuer: string, changes: object = {}) => ({ type: 'oidc', issuer, ...changes }) as Protocol

describe('a provider of OpenID Connect, by its issuer', () => {
  test('logs end users in, and supplies what its claims say', async () => {
    const foreign = await startProviderFor('example')
    expect(await save('example', oidc(foreign.url))).toMatchObject({
      provider: 'example',
      endpoints: { authorization: `${foreign.url}/auth`, token: `${foreign.url}/token`, jwks: `${foreign.url}/jwks` },
      missing: [],
    })
    const callback = await logIn('example')
    const { id_token, access_token } = await application.redeem(callback)
    const identifier = await application.userOf(await logIn('example'))
    expect(await application.verify(id_token)).toMatchObject({ sub: identifier })
    expect(await application.userinfo(access_token)).toMatchObject({ sub: identifier, email: foreignUser.email })

    const { links, data, credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
    expect(links).toMatchObject([{ provider: 'example', provider_user_id: foreignUser.sub }])
    expect(data.example).toMatchObject({
      profile: {
        full_name: 'Hanako Yamada',
        first_name: 'Hanako',
        last_name: 'Yamada',
        user_name: 'hana',
        image_url: foreignUser.picture,
        gender: 2,
        birthday: '1990-01-01',
        prefecture: '東京都',
      },
      email: [{ email: foreignUser.email, verified: true }],
      phone: [{ number: foreignUser.phone_number, verified: false, type: 'phone' }],
    })
    expect(credentials.example).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
  })

  test('is asked only for what the scopes cover', async () => {
    const foreign = await startProviderFor('modest')
    await save('modest', oidc(foreign.url))
    const identifier = await application.userOf(await logIn('modest', 'openid email'))
    const { data } = await readLinkData(serviceStack, { site: site.site, identifier })
    expect(data.modest).toMatchObject({ profile: {}, email: [{ email: foreignUser.email }], phone: [] })
  })

  test('keeps working when it replaces its keys', async () => {
    const foreign = await startProviderFor('rotating')
    await save('rotating', oidc(foreign.url))
    const before = await application.userOf(await logIn('rotating'))
    const { provider_callback } = await readSettings('rotating')
    await foreign.restart({ clients: [{ ...client, redirect_uris: [provider_callback] }] })
    expect(await application.userOf(await logIn('rotating'))).toBe(before)
  })

  test.each([
    ['client_secret_post', {}],
    ['client_secret_jwt', {}],
    ['none', { pkce: true }],
  ] as const)('accepts the client authentication %s', async (method, changes) => {
    const name = `by_${method}`
    const { provider_callback } = await readSettings(name)
    const registered = { ...client, redirect_uris: [provider_callback], token_endpoint_auth_method: method }
    const foreign = await startProviderFor(name, {
      clients: [registered],
      clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'],
    })
    expect(await save(name, oidc(foreign.url, { client_authentication: method, ...changes }))).toMatchObject({
      missing: [],
    })
    expect((await logIn(name)).searchParams.get('code')).toEqual(expect.any(String))
  })

  test('accepts the client authentication private_key_jwt, with a key as PEM', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { provider_callback } = await readSettings('by_key')
    const registered = {
      client_id: client.client_id,
      redirect_uris: [provider_callback],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [await exportJWK(publicKey)] },
    } as const
    const foreign = await startProviderFor('by_key', { clients: [registered], clientAuthMethods: ['private_key_jwt'] })
    const protocol = oidc(foreign.url, { client_authentication: 'private_key_jwt' })
    expect(await save('by_key', protocol)).toMatchObject([{ field: 'client_secret' }])
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(await save('by_key', protocol, { client_secret: pem })).toMatchObject({ missing: [] })
    expect((await logIn('by_key')).searchParams.get('code')).toEqual(expect.any(String))
  })

  test.each(['RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256'] as const)(
    'accepts ID Tokens with %s',
    async (alg) => {
      const name = `alg_${alg.toLowerCase()}`
      const { provider_callback } = await readSettings(name)
      const registered = { ...client, redirect_uris: [provider_callback], id_token_signed_response_alg: alg }
      const keys = alg === 'HS256' ? ['RS256'] : ['RS256', alg]
      const jwks = await Promise.all(
        keys.map(async (one) => {
          const { privateKey } = await generateKeyPair(one, { extractable: true })
          return { ...(await exportJWK(privateKey)), alg: one, use: 'sig', kid: one }
        }),
      )
      const foreign = await startProviderFor(name, {
        clients: [registered],
        jwks: { keys: jwks },
        enabledJWA: { idTokenSigningAlgValues: ['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256'] },
      })
      expect(await save(name, oidc(foreign.url, { id_token_alg: alg }))).toMatchObject({ missing: [] })
      expect((await logIn(name)).searchParams.get('code')).toEqual(expect.any(String))
    },
  )

  test('returns end users with a posted form, if it is set up so', async () => {
    const foreign = await startProviderFor('posting')
    await save('posting', oidc(foreign.url, { response_mode: 'form_post' }))
    expect((await logIn('posting')).searchParams.get('code')).toEqual(expect.any(String))
  })

  test('refreshes its tokens when they have expired', async () => {
    const foreign = await startProviderFor('refreshing', { ttl: { AccessToken: 1 } })
    await save('refreshing', oidc(foreign.url))
    const identifier = await application.userOf(await logIn('refreshing'))
    const user = { site: site.site, identifier }
    const first = (await readLinkData(serviceStack, user)).credentials.refreshing?.access_token
    expect(first).toEqual(expect.any(String))
    const second = (await readLinkData(serviceStack, user)).credentials.refreshing?.access_token
    expect(second).toEqual(expect.any(String))
    expect(second).not.toBe(first)
  })
})

describe('settings are rejected, with the field and the reason,', () => {
  test('if the issuer is another than that of the discovery document', async () => {
    const foreign = await startProviderFor('wrong')
    expect(await save('wrong', oidc(`${foreign.url}/`))).toEqual([
      {
        field: 'definition.protocol.issuer',
        reason: `differs from the issuer in its discovery document, which is ${foreign.url}`,
      },
    ])
  })

  test('if the provider does not support what they require', async () => {
    const foreign = await startProviderFor('strict')
    expect(await save('strict', oidc(foreign.url, { id_token_alg: 'ES512' }))).toEqual([
      {
        field: 'definition.protocol.id_token_alg',
        reason: expect.stringMatching(/^must be one that the provider supports: .*RS256/),
      },
    ])
  })

  test.each([
    ['an address that is not public', 'http://10.0.0.1', /not a public https address/],
    ['an address without a document', 'https://127.0.0.1:9', /could not be read/],
  ])('if the issuer is %s', async (_, issuer, reason) => {
    expect(await save('unreachable', oidc(issuer))).toEqual([
      { field: 'definition.protocol.issuer', reason: expect.stringMatching(reason) },
    ])
  })

  test.each([
    ['search', 'definition'],
    ['microblog_x', 'provider'],
    ['custom', 'provider'],
  ])('if the name %s is taken', async (name, field) => {
    expect(await save(name, oidc('https://op.example'))).toMatchObject([{ field }])
  })

  test('if the site has asked for more providers than it can configure', async () => {
    const own = await seedSite(serviceStack)
    const read = (provider: string) =>
      serviceStack.provider_auth.readProviderSettings({ site: own.site, provider }, serviceStack.call())
    for (let index = 0; index < 2 * limits.configured_providers; index++)
      await read(`p${index}`).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error
      })
    await expect(read('one_more')).rejects.toMatchObject({ fault: 'entity_not_found' })
    await expect(read('search')).resolves.toMatchObject({ provider: 'search' })
  })

  test('if a removed provider of the name has left accounts', async () => {
    const links = [{ provider: 'earlier', provider_user_id: 'user-1' }]
    await serviceStack.identity.createUser({ site: site.site, links }, serviceStack.call())
    const foreign = await startProviderFor('earlier')
    expect(await save('earlier', oidc(foreign.url))).toMatchObject([{ field: 'provider' }])
  })

  test('if they name other end users while accounts are linked', async () => {
    const foreign = await startProviderFor('stable')
    await save('stable', oidc(foreign.url))
    await logIn('stable')
    const other = await startForeignProvider({ clients: [] })
    onTestFinished(() => other[Symbol.asyncDispose]())
    expect(await save('stable', oidc(other.url))).toMatchObject([{ field: 'definition.protocol' }])
    expect(await readSettings('stable')).toMatchObject({ definition: { protocol: { issuer: foreign.url } } })
  })
})
