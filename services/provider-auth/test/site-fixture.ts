import { beforeAll } from 'vitest'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { type Application, applicationOf } from './application.ts'

/** A site of the shared stack, and its application. The fields are set while tests and hooks run. */
export interface SiteFixture {
  serviceStack: SharedStack
  site: SeededSite
  application: Application
}

/** Creates a site for a test file. */
export function createSiteFixture(options?: Parameters<typeof seedSite>[1]): SiteFixture {
  // Filled before the first test.
  const stage = {} as SiteFixture
  beforeAll(async () => {
    const serviceStack = await sharedStack()
    const site = await seedSite(serviceStack, options)
    Object.assign(stage, { serviceStack, site, application: applicationOf(serviceStack, site) } satisfies SiteFixture)
  })
  return stage
}
