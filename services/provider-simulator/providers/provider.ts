import type { LoginProvider } from '#contracts'
import type { Routes } from '#http'
import type { Clients } from '../clients.ts'
import type { Render } from '../pages.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import type { SignIn } from '../sign-in.ts'

/** What every provider is given to be one. */
export interface Simulator {
  /** Base address of the simulator, without trailing slash. */
  readonly url: string
  readonly clients: Clients
  readonly scenarios: Scenarios
  readonly render: Render
  readonly signIn: SignIn
}

/** How the names of routes begin that people use; all others with a name are for applications' servers. */
const routes_for_people = ['Authorization', 'Authentication', 'Top page', 'A person’s ', 'Account: ']

export function isForBrowsers(route: string): boolean {
  return routes_for_people.some((beginning) => route.startsWith(beginning))
}

export interface SimulatedProvider {
  readonly name: LoginProvider
  readonly title: string
  /** Of OpenID Connect providers. */
  readonly issuer?: string
  /** What sets its dialect apart, in a sentence. */
  readonly summary: string
  /** All below `/<name>`, at the real provider's own paths; a route's name says what it is for. */
  readonly routes: Routes
}
