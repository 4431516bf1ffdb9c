import type { LoginProvider } from '#contracts'
import type { Routes } from '#http'
import type { Clients } from '../clients.ts'
import type { Render } from '../pages.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import type { SignIn } from '../sign-in.ts'

/** What the providers of a simulator share. */
export interface Simulator {
  /** Base address of the simulator, without trailing slash. */
  readonly url: string
  readonly clients: Clients
  readonly scenarios: Scenarios
  readonly render: Render
  readonly signIn: SignIn
}

/** How the names of routes for end users begin; all other named routes are for applications' servers. */
const browserRoutes = ['Authorization', 'Authentication', 'Top page', 'A person’s ', 'Account: ']

export function isForBrowsers(route: string): boolean {
  return browserRoutes.some((beginning) => route.startsWith(beginning))
}

export interface SimulatedProvider {
  readonly name: LoginProvider
  readonly title: string
  /** Of an OpenID Provider. */
  readonly issuer?: string
  /** What is special about the provider, in a sentence. */
  readonly summary: string
  /** Below `/<name>`, at the real provider's paths; the start page lists the named ones. */
  readonly routes: Routes
}
