import { expect, test } from 'vitest'
import { seedSite, startStack } from '#testing'

test('the stack starts, serves a seeded site, and stops gracefully', async () => {
  await using serviceStack = await startStack({ gateways: 2 })
  const site = await seedSite(serviceStack)
  const response = await fetch(`${serviceStack.web_api}/appinfo?key=${site.api_key}`)
  expect(await response.json()).toEqual({ status: 'ok', info: { account: site.account, site_id: site.site_id } })
})
