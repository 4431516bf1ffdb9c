import { type BuiltInLoginProvider, builtInLoginProviders } from '#contracts'
import { createProvider } from '../oauth/provider.ts'
import { addAccountEvents } from './device/account-events.ts'
import { deviceDialect } from './device/dialect.ts'
import { createMessaging } from './messaging/provider.ts'
import { microblogDialect } from './microblog/dialect.ts'
import { addMicroblogRoutes } from './microblog/routes.ts'
import { portalDialect } from './portal/dialect.ts'
import { addPortalRoutes } from './portal/routes.ts'
import type { SimulatedProvider, Simulator } from './provider.ts'
import { searchDialect } from './search.ts'
import { addSecurityEvents } from './search-security-events.ts'
import { addSearchRoutes } from './search-token-info.ts'
import { socialDialect } from './social/dialect.ts'
import { addSocialRoutes } from './social/routes.ts'

const factories: Record<BuiltInLoginProvider, (simulator: Simulator) => Promise<SimulatedProvider>> = {
  messaging: createMessaging,
  portal: (simulator) => createProvider(portalDialect, simulator, addPortalRoutes),
  social: (simulator) => createProvider(socialDialect, simulator, addSocialRoutes),
  search: (simulator) =>
    createProvider(searchDialect, simulator, (routes, server) => {
      addSearchRoutes(routes, server)
      addSecurityEvents(routes, server)
    }),
  device: (simulator) => createProvider(deviceDialect, simulator, addAccountEvents),
  microblog: (simulator) => createProvider(microblogDialect, simulator, addMicroblogRoutes),
}

export async function createProviders(simulator: Simulator): Promise<SimulatedProvider[]> {
  return Promise.all(builtInLoginProviders.map((name) => factories[name](simulator)))
}
