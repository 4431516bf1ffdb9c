import { type LoginProvider, loginProviders } from '#contracts'
import { openDevice } from './device/routes.ts'
import { openMessaging } from './messaging/routes.ts'
import { openMicroblog } from './microblog/routes.ts'
import { openPortal } from './portal/routes.ts'
import type { SimulatedProvider, Simulator } from './provider.ts'
import { openSearch } from './search/routes.ts'
import { openSocial } from './social/routes.ts'

const open: Record<LoginProvider, (simulator: Simulator) => Promise<SimulatedProvider>> = {
  messaging: openMessaging,
  portal: openPortal,
  social: openSocial,
  search: openSearch,
  device: openDevice,
  microblog: openMicroblog,
}

export async function openProviders(simulator: Simulator): Promise<SimulatedProvider[]> {
  return Promise.all(loginProviders.map((name) => open[name](simulator)))
}
