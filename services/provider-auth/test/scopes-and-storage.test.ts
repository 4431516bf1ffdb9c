import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { builtInLoginProviders, loginProviderDescriptions, type ProfileItem } from '#contracts'
import { readLinkData, registerAtSimulator, type SeededSite, seedSite } from '#testing'
import { endScenarios, startScenario } from '../../provider-simulator/test/scenario-api.ts'
import { applicationOf } from './application.ts'
import { approveProfilePlus } from './approve-profile-plus.ts'
import { logInWith, type ProviderName } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site: oauth1 } = createSiteFixture()
const { site: oauth2 } = createSiteFixture({ microblog_protocol: 'oauth2' })
const sites = { oauth1, oauth2 }
beforeAll(() => approveProfilePlus(serviceStack, oauth1))
afterEach(() => endScenarios(serviceStack.simulator))

const adapters: { provider: ProviderName; protocol: keyof typeof sites }[] = [
  ...builtInLoginProviders.map((provider) => ({ provider, protocol: 'oauth1' as const })),
  { provider: 'microblog', protocol: 'oauth2' },
]
const optionalScopes = ['profile', 'email', 'address', 'phone'] as const
const scopeSets = fc.subarray([...optionalScopes])
let userCount = 0

/** Logs in with the scopes and returns the user's identifier. */
async function logInWithScopes(at: SeededSite, provider: ProviderName, user: string, scopes: readonly string[]) {
  const parameters = { scope: ['openid', ...scopes].join(' ') }
  return applicationOf(serviceStack, at).userOf(await logInWith(at, provider, { user, parameters }))
}

/** The items that are stored of a user, and the stored e-mail address. */
async function readStored({ site }: SeededSite, provider: ProviderName, identifier: string) {
  const { data } = await readLinkData(serviceStack, { site, identifier })
  const stored = data[provider]
  const fields = Object.entries(stored?.profile ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return {
    items: new Set<string>([
      ...fields.map(([field]) => field),
      ...(stored?.follow ? ['follow'] : []),
      ...(stored?.email.length ? ['email'] : []),
      ...(stored?.phone.length ? ['phone'] : []),
    ]),
    email: stored?.email[0]?.email,
  }
}

const addressItems = new Set(['postal_code', 'prefecture', 'city', 'street'])
const scopeOf = (item: ProfileItem) =>
  item === 'email' || item === 'phone' ? item : addressItems.has(item) ? 'address' : 'profile'

describe.each(adapters)('$provider by $protocol', ({ provider, protocol }) => {
  const site = sites[protocol]

  test('`openid` stores nothing but the link', async () => {
    const identifier = await logInWithScopes(site, provider, `Minimal ${++userCount}`, [])
    expect((await readStored(site, provider, identifier)).items).toEqual(new Set())
  })

  test('a login changes only the items of its scopes, whatever was requested before', async () => {
    const whole = await logInWithScopes(site, provider, `Whole ${++userCount}`, optionalScopes)
    const { items: wholeItems } = await readStored(site, provider, whole)
    await fc.assert(
      fc.asyncProperty(fc.array(scopeSets, { minLength: 2, maxLength: 4 }), async (logins) => {
        const user = `Changing ${++userCount}`
        // The device provider sends the name at the first consent only.
        const effective =
          provider === 'device'
            ? logins.map((scopes, i) => (i === 0 ? scopes : scopes.filter((s) => s !== 'profile')))
            : logins
        let identifier = ''
        for (const scopes of logins) identifier = await logInWithScopes(site, provider, user, scopes)
        const covered = loginProviderDescriptions[provider].supplies.filter(
          (item) => wholeItems.has(item) && effective.some((scopes) => scopes.includes(scopeOf(item))),
        )
        expect((await readStored(site, provider, identifier)).items).toEqual(new Set(covered))
      }),
      { numRuns: 6 },
    )
  })

  test('a login that requests the e-mail address of a user who removed it removes the stored one, others do not', async () => {
    const user = `Leaving ${++userCount}`
    const identifier = await logInWithScopes(site, provider, user, ['profile', 'email'])
    const { email } = await readStored(site, provider, identifier)
    expect(email).toContain('@')
    await startScenario(serviceStack.simulator, { scenario: 'no_email', name: user, provider })
    await logInWithScopes(site, provider, user, ['profile'])
    expect((await readStored(site, provider, identifier)).email).toBe(email)
    await logInWithScopes(site, provider, user, ['email'])
    // The device provider may omit the address at later logins, so its absence has no meaning.
    expect((await readStored(site, provider, identifier)).email).toBe(provider === 'device' ? email : undefined)
  })
})

test('rejected userinfo leaves every stored item unchanged', async () => {
  // Its registration at the simulator is changed.
  const site = await seedSite(serviceStack)
  const user = `Refused ${++userCount}`
  const identifier = await logInWithScopes(site, 'portal', user, optionalScopes)
  const { items } = await readStored(site, 'portal', identifier)
  expect(items.size).toBeGreaterThan(5)
  const { client_id, client_secret, provider_callback } = site.providers.portal
  const registration = { provider: 'portal', client_id, client_secret, redirect_uris: [provider_callback] } as const
  await registerAtSimulator(serviceStack.simulator, { ...registration, userinfo_approved: false })
  await logInWithScopes(site, 'portal', user, optionalScopes)
  expect((await readStored(site, 'portal', identifier)).items).toEqual(items)
})
