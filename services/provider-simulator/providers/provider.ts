import type { Provider } from '#contracts'
import type { Clients } from '../clients.ts'
import type { Render } from '../pages.ts'
import type { Routes } from '../router.ts'
import type { SignIn } from '../sign-in.ts'

/** Login providers that are simulated, in the order of the start page. */
export const simulated_providers = [
  'messaging',
  'portal',
  'social',
  'search',
  'device',
  'microblog',
] as const satisfies readonly Provider[]
export type SimulatedName = (typeof simulated_providers)[number]

/** What every provider is given to be one. */
export interface Simulator {
  /** Base address of the simulator, without trailing slash. */
  readonly url: string
  readonly clients: Clients
  readonly render: Render
  readonly sign_in: SignIn
}

export interface SimulatedProvider {
  readonly name: SimulatedName
  readonly title: string
  /** Of OpenID Connect providers. */
  readonly issuer?: string
  /** What sets its dialect apart, in a sentence. */
  readonly summary: string
  /** All below `/<name>`, at the real provider's own paths; a route's name says what it is for. */
  readonly routes: Routes
}
