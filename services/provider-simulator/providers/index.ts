import { type LoginProvider, loginProviders } from '#contracts'
import { createProvider } from '../oauth/provider.ts'
import { addAccountEvents } from './device/account-events.ts'
import { device } from './device/dialect.ts'
import { createMessaging } from './messaging/provider.ts'
import { microblog } from './microblog/dialect.ts'
import { addMicroblogRoutes } from './microblog/routes.ts'
import { portal } from './portal/dialect.ts'
import { addPortalRoutes } from './portal/routes.ts'
import type { SimulatedProvider, Simulator } from './provider.ts'
import { search } from './search.ts'
import { social } from './social/dialect.ts'
import { addSocialRoutes } from './social/routes.ts'

const open: Record<LoginProvider, (simulator: Simulator) => Promise<SimulatedProvider>> = {
  messaging: createMessaging,
  portal: (simulator) => createProvider(portal, simulator, addPortalRoutes),
  social: (simulator) => createProvider(social, simulator, addSocialRoutes),
  search: (simulator) => createProvider(search, simulator),
  device: (simulator) => createProvider(device, simulator, addAccountEvents),
  microblog: (simulator) => createProvider(microblog, simulator, addMicroblogRoutes),
}

export async function openProviders(simulator: Simulator): Promise<SimulatedProvider[]> {
  return Promise.all(loginProviders.map((name) => open[name](simulator)))
}
