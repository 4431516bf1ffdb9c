import { beforeAll } from 'vitest'
import {
  type SeededSite,
  type ServiceStack,
  type SharedStack,
  type StackOptions,
  seedSite,
  sharedStack,
  startStack,
} from '#testing'
import { type Application, applicationOf } from './application.ts'

/** A site of a stack, and its application: empty objects that are filled before tests and later hooks run. */
export interface SiteFixture<C = SharedStack> {
  readonly serviceStack: C
  readonly site: SeededSite
  readonly application: Application
}

type SiteOptions = Parameters<typeof seedSite>[1]

/** Creates a site of the shared stack for a test file. */
export function createSiteFixture(options?: SiteOptions): SiteFixture {
  return createFixtureIn(sharedStack, options)
}

/** Creates a stack with one site for a test file, and stops it after the tests. The options are read when it starts. */
export function createOwnSiteFixture(readOptions: () => StackOptions = () => ({})): SiteFixture<ServiceStack> {
  return createFixtureIn(() => startStack(readOptions()))
}

function createFixtureIn<C extends SharedStack & Partial<AsyncDisposable>>(
  start: () => Promise<C>,
  options?: SiteOptions,
): SiteFixture<C> {
  // The objects are filled before the first test, so that test files can destructure the fixture.
  const fixture = { serviceStack: {}, site: {}, application: {} } as SiteFixture<C>
  beforeAll(async () => {
    const serviceStack = Object.assign(fixture.serviceStack, await start())
    const site = Object.assign(fixture.site, await seedSite(serviceStack, options))
    Object.assign(fixture.application, applicationOf(serviceStack, site))
    return () => serviceStack[Symbol.asyncDispose]?.()
  })
  return fixture
}
