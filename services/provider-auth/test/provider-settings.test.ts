import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { Fault, type Provider } from '#contracts'
import { deviceKey, openForTest, type SeededSite, seedSite } from '#testing'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

async function save(
  { site, account, site_id }: SeededSite,
  provider: Provider,
  options: Record<string, string> = {},
  clientSecret = 's',
): Promise<unknown> {
  return serviceStack.provider_auth
    .saveProviderSettings(
      { site, account, site_id, provider, client_id: 'c', client_secret: clientSecret, options },
      serviceStack.call(),
    )
    .catch((error: unknown) => (error instanceof Fault ? error.fault : error))
}

test.each([
  ['a provider that is closed to new use', 'shopping', {}],
  ['a name that is only for older links', 'search_legacy', {}],
  ['an unknown option', 'portal', { team_id: 'TEAM123456' }],
  ['no team and key, which are required', 'device', {}],
  ['an invalid key ID', 'device', { team_id: 'TEAM123456', key_id: 'short' }],
  ['a secret that is not a private key', 'device', deviceKey.options],
  ['an unknown permission of LINE Profile+', 'messaging', { permissions: 'phone,fax' }],
  ['an unknown permission', 'social', { permissions: 'user_birthday,user_friends' }],
  ['an unknown protocol', 'microblog', { protocol: 'saml' }],
] as const)('settings with %s are rejected', async (_, provider, options) => {
  expect(await save(site, provider, options)).toBe('invalid_parameter')
})

const pem = { type: 'pkcs8', format: 'pem' } as const
const another = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
test.each([
  ['of another curve', another('P-384').export(pem).toString()],
  ['of RSA', generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export(pem).toString()],
  ['of another form', another('P-256').export({ type: 'sec1', format: 'pem' }).toString()],
  ['that is public', deviceKey.public_key],
  ['that is truncated', deviceKey.private_key.slice(0, 80)],
])('settings of device with a key %s are rejected, and the earlier ones stay', async (_, key) => {
  expect(await save(site, 'device', deviceKey.options, key)).toBe('invalid_parameter')
  await using database = openForTest(serviceStack.database_urls.provider_auth)
  const stored = await database
    .knex('provider_settings')
    .where({ site: site.site, provider: 'device' })
    .first('client_id')
  expect(stored).toEqual({ client_id: site.providers.device.client_id })
})

test('settings of device with the downloaded key are stored, with any line endings', async () => {
  const changed = await seedSite(serviceStack)
  const again = { login_provider_identifier: changed.providers.device.login_provider_identifier }
  for (const key of [
    deviceKey.private_key,
    deviceKey.private_key.replaceAll('\n', '\r\n'),
    deviceKey.private_key.trim(),
  ])
    expect(await save(changed, 'device', deviceKey.options, key)).toMatchObject(again)
})
