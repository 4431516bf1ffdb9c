import { rmSync } from 'node:fs'
import type { ConsoleAccess } from './console.ts'
import type { DemoSite } from './demo.ts'
import type { Places } from './places.ts'
import { writeWhole } from './secrets.ts'
import type { Wiring } from './wiring.ts'

/** Tells scripts that everything is ready, and what they need to use the demo. */
export function writeEnvironment(
  places: Places,
  { addresses }: Wiring,
  { sites, ...access }: ConsoleAccess & { readonly sites: readonly DemoSite[] },
): void {
  const environment = {
    web_api: `${addresses.web_api}/api`,
    auth: addresses.auth,
    simulator: addresses.simulator,
    shop: addresses.shop,
    console: addresses.console,
    ...access,
    sites,
  }
  writeWhole(places.environment, `${JSON.stringify(environment, undefined, 2)}\n`)
}

export function removeEnvironment(places: Places): void {
  rmSync(places.environment, { force: true })
}
