import { expect, test } from 'vitest'
import type { z } from 'zod'
import { adminApi } from '#admin-api'
import { logInAs } from '../../api-gateway/test/stage.ts'
import {
  answerProvider,
  authorizeAddress,
  begin,
  locationOf,
  openTestBrowser,
} from '../../provider-auth/test/browser.ts'
import { reported, setOwnUsageStage } from './usage-stage.ts'

// A circuit that opened stays open as long as the tests take.
const stage = setOwnUsageStage({ providerAuthEnvironment: { PROVIDER_CIRCUIT_OPEN_MS: '600000' } })

const Insight = adminApi.readLoginUsage.output
type Health = z.output<typeof adminApi.readProviderHealth.output>['providers'][number]

function total(points: readonly { readonly count: number }[] | undefined): number {
  return (points ?? []).reduce((sum, { count }) => sum + count, 0)
}

test('logins, new users and how far logins got are seen by provider, for a day, a month and a year', async () => {
  await logInAs(stage, 'taro', 'messaging')
  await logInAs(stage, 'taro', 'messaging')
  await logInAs(stage, 'hanako', 'messaging')
  await logInAs(stage, 'taro', 'portal')
  const browser = openTestBrowser()
  const givenUp = await browser.open(authorizeAddress(stage.site, 'messaging'))
  expect(givenUp.status).toBe(302)

  for (const [span, points] of [
    ['day', 24],
    ['month', 30],
    ['year', 12],
  ] as const)
    await reported(async () => {
      const { logins, new_users, funnel } = Insight.parse((await stage.ask('GET', `/usage/logins?span=${span}`)).body)
      expect(logins.messaging).toHaveLength(points)
      expect(logins.messaging?.at(-1)?.count).toBe(3)
      expect([total(logins.messaging), total(new_users.messaging)]).toEqual([3, 2])
      expect([total(logins.portal), total(new_users.portal)]).toEqual([1, 1])
      expect(funnel.messaging).toEqual({ started: 4, returned: 3, completed: 3, denied: 0, failed: 0 })
      expect(funnel.search).toBeUndefined()
    })
})

test('who denies at the provider is counted as denied', async () => {
  const browser = openTestBrowser()
  const begun = await browser.open(authorizeAddress(stage.site, 'social'))
  const returned = await answerProvider(browser, locationOf(begun), { user: 'taro', decision: 'deny' })
  await browser.open(returned)
  await reported(async () => {
    const { funnel } = Insight.parse((await stage.ask('GET', '/usage/logins')).body)
    expect(funnel.social).toEqual({ started: 1, returned: 1, completed: 0, denied: 1, failed: 0 })
  })
})

test('how calls to each provider went in the last hour is seen, and that its circuit is open', async () => {
  const { serviceStack, site } = stage
  const read = async (): Promise<Health | undefined> => {
    const { providers } = adminApi.readProviderHealth.output.parse((await stage.askAt('GET', '/providers/health')).body)
    return providers.find(({ provider }) => provider === 'search')
  }
  expect(await read()).toEqual({ provider: 'search', calls: 0, failed: 0, circuit: 'closed' })
  await logInAs(stage, 'jiro', 'search')
  await reported(async () => expect(await read()).toMatchObject({ failed: 0, circuit: 'closed' }))
  await reported(async () => expect((await read())?.calls).toBeGreaterThan(0))

  const returned = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const browser = openTestBrowser()
      const atProvider = await begin(browser, authorizeAddress(site, 'search'))
      return { browser, callback: await answerProvider(browser, atProvider) }
    }),
  )
  await serviceStack.services.simulator[0]?.stop()
  for (const { browser, callback } of returned) await browser.open(callback)
  await reported(async () => {
    const health = await read()
    expect(health?.circuit).toBe('open')
    expect(health?.failed).toBeGreaterThan(0)
    // What the circuit held back was never a call.
    expect(health?.failed).toBeLessThan(12)
  })
  await reported(async () => {
    const { funnel } = Insight.parse((await stage.ask('GET', '/usage/logins')).body)
    expect(funnel.search).toEqual({ started: 13, returned: 13, completed: 1, denied: 0, failed: 12 })
  })
})
