import { expect, test } from 'vitest'
import { seedSite, startConstellation } from '#testing'

test('the constellation comes up, knows a seeded site, and stops in order', async () => {
  await using constellation = await startConstellation({ gateways: 2 })
  const site = await seedSite(constellation)
  const response = await fetch(`${constellation.web_api}/appinfo?key=${site.api_key}`)
  expect(await response.json()).toEqual({ status: 'ok', info: { account: site.account, site_id: site.site_id } })
})
