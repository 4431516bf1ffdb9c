import { afterEach, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { adminApi } from '#admin-api'
import { logInAs } from '../../api-gateway/test/stage.ts'
import {
  buildAuthorizeUrl,
  getLocation,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from '../../provider-auth/test/browser.ts'
import { endScenarios, startScenario } from '../../provider-simulator/test/scenario-api.ts'
import { createSeparateUsageFixture, waitForReports } from './usage-fixture.ts'

// An open circuit stays open during the tests.
const stage = createSeparateUsageFixture({ providerAuthEnvironment: { PROVIDER_CIRCUIT_OPEN_MS: '600000' } })
beforeEach(() => stage.openNewSite())
afterEach(() => endScenarios(stage.serviceStack.simulator))

const Usage = adminApi.readLoginUsage.output
type Health = z.output<typeof adminApi.readProviderHealth.output>['providers'][number]

function total(points: readonly { readonly count: number }[] | undefined): number {
  return (points ?? []).reduce((sum, { count }) => sum + count, 0)
}

test('logins, new users and login steps are counted by provider, for a day, a month and a year', async () => {
  await logInAs(stage, 'taro', 'messaging')
  await logInAs(stage, 'taro', 'messaging')
  await logInAs(stage, 'hanako', 'messaging')
  await logInAs(stage, 'taro', 'portal')
  const browser = openTestBrowser()
  const givenUp = await browser.open(buildAuthorizeUrl(stage.site, 'messaging'))
  expect(givenUp.status).toBe(302)

  for (const [span, points] of [
    ['day', 24],
    ['month', 30],
    ['year', 12],
  ] as const)
    await waitForReports(async () => {
      const { logins, new_users, funnel } = Usage.parse((await stage.request('GET', `/usage/logins?span=${span}`)).body)
      expect(logins.messaging).toHaveLength(points)
      expect(logins.messaging?.at(-1)?.count).toBe(3)
      expect([total(logins.messaging), total(new_users.messaging)]).toEqual([3, 2])
      expect([total(logins.portal), total(new_users.portal)]).toEqual([1, 1])
      expect(funnel.messaging).toEqual({ started: 4, returned: 3, completed: 3, denied: 0, failed: 0 })
      expect(funnel.search).toBeUndefined()
    })
})

test('a login that the end user denies at the provider counts as denied', async () => {
  const browser = openTestBrowser()
  const started = await browser.open(buildAuthorizeUrl(stage.site, 'social'))
  const returned = await submitProviderSignIn(browser, getLocation(started), { user: 'taro', decision: 'deny' })
  await browser.open(returned)
  await waitForReports(async () => {
    const { funnel } = Usage.parse((await stage.request('GET', '/usage/logins')).body)
    expect(funnel.social).toEqual({ started: 1, returned: 1, completed: 0, denied: 1, failed: 0 })
  })
})

test('provider health has the calls of the last hour and the open circuit', async () => {
  const { serviceStack, site } = stage
  const read = async (): Promise<Health | undefined> => {
    const { providers } = adminApi.readProviderHealth.output.parse(
      (await stage.requestAdminApi('GET', '/providers/health')).body,
    )
    // Those that sites configured are counted together.
    expect(providers.at(-1)).toEqual({ provider: 'custom', calls: 0, failed: 0, circuit: 'closed' })
    return providers.find(({ provider }) => provider === 'search')
  }
  expect(await read()).toEqual({ provider: 'search', calls: 0, failed: 0, circuit: 'closed' })
  await logInAs(stage, 'jiro', 'search')
  await waitForReports(async () => expect(await read()).toMatchObject({ failed: 0, circuit: 'closed' }))
  await waitForReports(async () => expect((await read())?.calls).toBeGreaterThan(0))

  const returned = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const browser = openTestBrowser()
      const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search'))
      return { browser, callback: await submitProviderSignIn(browser, atProvider) }
    }),
  )
  await startScenario(serviceStack.simulator, { scenario: 'hang_up', provider: 'search' })
  for (const { browser, callback } of returned) await browser.open(callback)
  await waitForReports(async () => {
    const health = await read()
    expect(health?.circuit).toBe('open')
    expect(health?.failed).toBeGreaterThan(0)
    // Calls that the open circuit blocked are not counted.
    expect(health?.failed).toBeLessThan(12)
  })
  await waitForReports(async () => {
    const { funnel } = Usage.parse((await stage.request('GET', '/usage/logins')).body)
    expect(funnel.search).toEqual({ started: 13, returned: 13, completed: 1, denied: 0, failed: 12 })
  })
})
