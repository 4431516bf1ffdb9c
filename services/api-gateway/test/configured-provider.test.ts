import { beforeAll, expect, test } from 'vitest'
import { applicationOf } from '../../provider-auth/test/application.ts'
import { buildLoginUrl, followToApplication } from '../../provider-auth/test/configured-login.ts'
import { foreignUser, startForeignProvider } from '../../provider-auth/test/foreign-provider.ts'
import { errorResponses } from './caller.ts'
import { createTestUser, setStage } from './stage.ts'

const stage = setStage()
const provider = 'acme'

/** A user who logged in at a provider that the site configured. */
let identifier: string
beforeAll(async () => {
  const { serviceStack, site } = stage
  const { provider_auth, call } = serviceStack
  const { provider_callback } = await provider_auth.readProviderSettings({ site: site.site, provider }, call())
  const client = { client_id: 'acme', client_secret: 'acme-secret' }
  const foreign = await startForeignProvider({ clients: [{ ...client, redirect_uris: [provider_callback] }] })
  const { account, site_id } = site
  const { authorize_uri } = await provider_auth.changeProviderSettings(
    {
      site: site.site,
      account,
      site_id,
      provider,
      expected_revision: 0,
      ...client,
      definition: { display_name: { en: 'Acme' }, protocol: { type: 'oidc', issuer: foreign.url } },
    },
    call(),
  )
  const login = buildLoginUrl(site, authorize_uri ?? '', 'openid profile email')
  identifier = await applicationOf(serviceStack, site).userOf(await followToApplication(site, login))
  return () => foreign[Symbol.asyncDispose]()
})

test('it is listed after the others', async () => {
  const { body } = await stage.web_api.get('providers')
  expect(body).toMatchObject({ providers: expect.arrayContaining(['messaging', provider]) })
  expect(Object(body).providers.at(-1)).toBe(provider)
  expect((await stage.web_api.get('providers_of_user', { identifier })).body).toMatchObject({ providers: [provider] })
})

test('its credential object has the ID, the tokens and the times', async () => {
  const { body } = await stage.web_api.get('user_attribute', { identifier })
  expect(body).toMatchObject({
    user: { last_logged_in_provider: provider },
    providers: {
      [provider]: {
        [`${provider}_id`]: foreignUser.sub,
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        expires_at: expect.any(String),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    },
  })
})

test('its profile is read as those of the others', async () => {
  const combined = await stage.web_api.get('profile', { identifier })
  expect(combined.body).toMatchObject({
    profile: { full_name: foreignUser.name },
    email: [{ email: foreignUser.email, verified: true, media_id: provider }],
  })
  const single = await stage.web_api.get('profile_from_providers', {
    identifier,
    target_provider: `${provider},search`,
  })
  expect(single.body).toMatchObject({ [provider]: { profile: { full_name: foreignUser.name } }, search: {} })
})

test('users are created with its IDs, linked to it, and unlinked from it', async () => {
  const created = await createTestUser(stage.web_api, { [`provider_user_ids[${provider}]`]: 'user-2' })
  const { body } = await stage.web_api.get('user_attribute', { identifier: created })
  expect(body).toMatchObject({ providers: { [provider]: { [`${provider}_id`]: 'user-2', access_token: null } } })

  const other = await createTestUser(stage.web_api)
  const issued = await stage.web_api.get('association_token', { identifier: other, target_provider: provider })
  expect(issued.body).toMatchObject({ authenticate_uri: expect.stringContaining(`/${provider}/associate?token=`) })

  const unlink = { identifier: created, target_provider: provider, nowarn: 'true' }
  expect((await stage.web_api.get('dissociate', unlink)).body).toMatchObject({ dissociated: [provider] })
})

test('a name that the site has not configured is unknown', async () => {
  for (const operation of ['profile_from_providers', 'dissociate', 'association_token'])
    expect(await stage.web_api.get(operation, { identifier, target_provider: 'other' })).toMatchObject(
      errorResponses.invalid_parameter,
    )
})
