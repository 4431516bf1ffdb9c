import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fault, type Provider } from '#contracts'
import { type Constellation, type SeededSite, seedSite, startConstellation } from '#testing'

let constellation: Constellation
let site: SeededSite

beforeAll(async () => {
  constellation = await startConstellation()
  site = await seedSite(constellation)
})
afterAll(() => constellation[Symbol.asyncDispose]())

async function save(provider: Provider, options: Record<string, string> = {}): Promise<unknown> {
  const { account, site_id } = site
  return constellation.provider_auth
    .saveProviderSettings(
      { site: site.site, account, site_id, provider, client_id: 'c', client_secret: 's', options },
      constellation.call(),
    )
    .catch((error: unknown) => (error instanceof Fault ? error.fault : error))
}

test.each([
  ['a provider that is closed to new use', 'shopping', {}],
  ['a name that is only for links of earlier times', 'search_legacy', {}],
  ['an option the provider does not have', 'portal', { team_id: 'TEAM123456' }],
  ['no team and key, which the provider needs', 'device', {}],
  ['a key id that is none', 'device', { team_id: 'TEAM123456', key_id: 'short' }],
  ['a permission that opens nothing', 'social', { permissions: 'user_birthday,user_friends' }],
  ['a protocol the provider does not speak', 'microblog', { protocol: 'saml' }],
] as const)('settings with %s are refused', async (_, provider, options) => {
  expect(await save(provider, options)).toBe('invalid_parameter')
})
