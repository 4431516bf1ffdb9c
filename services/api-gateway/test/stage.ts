import { beforeAll } from 'vitest'
import { z } from 'zod'
import {
  type SeededSite,
  type ServiceStack,
  type SharedStack,
  type StackOptions,
  seedSite,
  settled,
  sharedStack,
  startStack,
} from '#testing'
import { applicationOf } from '../../provider-auth/test/application.ts'
import {
  buildLinkUrl,
  getLocation,
  logInWith,
  openTestBrowser,
  type ProviderName,
  submitLinkDecision,
  submitProviderSignIn,
} from '../../provider-auth/test/browser.ts'
import { createCaller, type WebApiCaller } from './caller.ts'

/** The fixtures of a test file. Available while tests and hooks run. */
export interface TestStage<C = SharedStack> {
  serviceStack: C
  site: SeededSite
  /** The site's server, at the first gateway. */
  web_api: WebApiCaller
}

/** A site of the shared stack for the tests of a file. */
export function setStage(): TestStage {
  return stageIn(sharedStack)
}

/** A stack with one site for the tests of a file, ended after them. */
export function setOwnStage(options?: StackOptions): TestStage<ServiceStack> {
  return stageIn(() => startStack(options))
}

function stageIn<C extends SharedStack & Partial<AsyncDisposable>>(start: () => Promise<C>): TestStage<C> {
  // Set in `beforeAll`.
  const stage = {} as TestStage<C>
  beforeAll(async () => {
    const serviceStack = await start()
    const site = await seedSite(serviceStack)
    Object.assign(stage, { serviceStack, site, web_api: createCaller(serviceStack.web_api, site.api_key) })
    return () => serviceStack[Symbol.asyncDispose]?.()
  })
  return stage
}

/** Creates a user over the Web API and returns the identifier. */
export async function createTestUser(webApi: WebApiCaller, parameters: Record<string, string> = {}): Promise<string> {
  const { body } = await webApi.get('create_user', parameters)
  return z.object({ user: z.object({ identifier: z.string() }) }).parse(body).user.identifier
}

/** How many users the site has. Lists are no measure of change: the cursor in `next_uri` holds the second of the request. */
export async function countUsers(webApi: WebApiCaller): Promise<number> {
  const { body } = await webApi.get('users')
  return z.object({ total: z.number() }).parse(body).total
}

/** Logs in an end user with this name at the site; returns the user's identifier. */
export async function logInAs(
  { serviceStack, site }: Pick<TestStage, 'serviceStack' | 'site'>,
  user: string,
  provider: ProviderName = 'messaging',
): Promise<string> {
  await settled(serviceStack)
  return applicationOf(serviceStack, site).userOf(await logInWith(site, provider, { user }))
}

/** Logs in an end user with both providers and merges the two users. */
export async function logInAtBoth(stage: TestStage, user: string): Promise<string> {
  const destIdentifier = await logInAs(stage, user, 'messaging')
  const sourceIdentifier = await logInAs(stage, user, 'search')
  const { status } = await stage.web_api.get('merge_user', {
    source_identifier: sourceIdentifier,
    dest_identifier: destIdentifier,
  })
  if (status !== 200) throw new Error(`The users were not merged: ${status}`)
  return destIdentifier
}

/** Opens an `authenticate_uri`, consents, and logs in at the provider; returns the callback's parameters. */
export async function linkWith(authenticateUri: string, { site }: Pick<TestStage, 'site'>, user: string) {
  const browser = openTestBrowser()
  const confirmed = await submitLinkDecision(browser, buildLinkUrl(authenticateUri, site))
  const callback = await submitProviderSignIn(browser, getLocation(confirmed), { user })
  return new URL(getLocation(await browser.open(callback))).searchParams
}
