import { expect, test } from 'vitest'
import { loadCatalog } from '#catalog'
import { listSuppliedItems } from '#contracts'
import { readLinkData, registerAtSimulator } from '#testing'
import { logIn, openTestBrowser } from './browser.ts'
import { buildLoginUrl } from './configured-login.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()

const client = { client_id: 'app-of-the-site', client_secret: 'a-secret-of-the-provider' }

test.each(loadCatalog().map((entry) => [entry.name, entry] as const))(
  '%s: the definition of the catalog is saved, logs end users in, and reads their profile',
  async (provider, { definition }) => {
    const { account, site_id } = site
    const saved = await serviceStack.provider_auth.changeProviderSettings(
      { site: site.site, account, site_id, provider, expected_revision: 0, ...client, definition },
      serviceStack.call(),
    )
    // The provider's own addresses; the simulator plays them.
    expect(saved.endpoints?.authorization).toMatch(/^https:/)
    await registerAtSimulator(serviceStack.simulator, {
      provider,
      ...client,
      redirect_uris: [saved.provider_callback],
    })

    const address = buildLoginUrl(site, saved.authorize_uri ?? '', 'openid profile email')
    const identifier = await application.userOf(await logIn(openTestBrowser(), address, { user: 'Ada King' }))
    const again = await application.userOf(await logIn(openTestBrowser(), address, { user: 'Ada King' }))
    expect(again).toBe(identifier)

    const { data, credentials } = await readLinkData(serviceStack, { site: site.site, identifier })
    const { profile, email } = data[provider] ?? {}
    const items = listSuppliedItems(definition.protocol.claims)
    const name = ['full_name', 'user_name'].find((item) => items.some((one) => one === item))
    expect(name === undefined ? 'Ada King' : Reflect.get(profile ?? {}, name)).toBe('Ada King')
    expect(email ?? []).toHaveLength(items.includes('email') ? 1 : 0)
    expect(credentials[provider]).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
  },
)
