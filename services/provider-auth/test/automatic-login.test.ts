import { beforeAll, expect, test } from 'vitest'
import { type SharedStack, seedSite, sharedStack } from '#testing'
import { buildAuthenticateUrl, buildAuthorizeUrl, openRedirect, openTestBrowser } from './browser.ts'

let serviceStack: SharedStack
beforeAll(async () => {
  serviceStack = await sharedStack()
})

test.each([
  ['never', [], ['disable_auto_login']],
  ['ios', ['disable_ios_auto_login'], ['disable_auto_login', 'disable_ios_auto_login']],
  ['always', ['disable_auto_login'], ['disable_auto_login']],
])('automatic login of messaging is off: %s, unless the request says more', async (option, bySite, byRequest) => {
  const shop = await seedSite(serviceStack)
  const { site, account, site_id } = shop
  const { client_id, client_secret } = shop.providers.messaging
  const names = { site, account, site_id, provider: 'messaging', client_id, client_secret } as const
  const options = { disable_auto_login: option }
  await serviceStack.provider_auth.saveProviderSettings({ ...names, options }, serviceStack.call())
  const listOff = async (address: string) => {
    const { searchParams } = new URL(await openRedirect(openTestBrowser(), address))
    return [...searchParams]
      .filter(([name, value]) => /auto_login$/.test(name) && value === 'true')
      .map(([name]) => name)
  }
  expect(await listOff(buildAuthorizeUrl(shop, 'messaging'))).toEqual(bySite)
  expect(await listOff(buildAuthenticateUrl(serviceStack, shop, 'messaging'))).toEqual(bySite)
  const requested = buildAuthorizeUrl(shop, 'messaging', { disable_auto_login: 'true' })
  expect((await listOff(requested)).sort()).toEqual(byRequest)
})
