import { openDevice } from './device/routes.ts'
import { openMessaging } from './messaging/routes.ts'
import { openPortal } from './portal/routes.ts'
import { type SimulatedName, type SimulatedProvider, type Simulator, simulated_providers } from './provider.ts'
import { openSearch } from './search/routes.ts'

const open: Record<SimulatedName, (simulator: Simulator) => Promise<SimulatedProvider>> = {
  messaging: openMessaging,
  portal: openPortal,
  search: openSearch,
  device: openDevice,
}

export async function openProviders(simulator: Simulator): Promise<SimulatedProvider[]> {
  return Promise.all(simulated_providers.map((name) => open[name](simulator)))
}
