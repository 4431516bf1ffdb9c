import type { Routes } from '#http'
import type { ClientRegistry } from '../client-registry.ts'
import type { Render } from '../pages.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import type { SignInFlow } from '../sign-in-flow.ts'

/** What all providers of a simulator share. */
export interface Simulator {
  /** Base address of the simulator, without trailing slash. */
  readonly url: string
  readonly clients: ClientRegistry
  readonly scenarios: Scenarios
  readonly render: Render
  readonly signIn: SignInFlow
}

/** Prefixes of the names of routes for end users; all other named routes are for applications' servers. */
const browserRoutes = ['Authorization', 'Authentication', 'Top page', 'User settings', 'Account: ']

export function isForBrowsers(route: string): boolean {
  return browserRoutes.some((beginning) => route.startsWith(beginning))
}

export interface SimulatedProvider {
  readonly name: string
  readonly title: string
  /** Only for OpenID Providers. */
  readonly issuer?: string
  /** What is special about the provider, in one sentence. */
  readonly summary: string
  /** Below `/<name>`, at the real provider's paths; the start page lists the named ones. */
  readonly routes: Routes
}
