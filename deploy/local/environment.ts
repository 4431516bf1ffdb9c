import { rmSync } from 'node:fs'
import type { DemoSite } from './demo.ts'
import type { Places } from './places.ts'
import { writeWhole } from './secrets.ts'
import type { Wiring } from './wiring.ts'

/** Tells scripts that everything is ready, and what they need to use the demo. */
export function writeEnvironment(
  places: Places,
  { addresses }: Wiring,
  { sites, console_sign_in }: { sites: readonly DemoSite[]; console_sign_in: string },
): void {
  const environment = {
    web_api: `${addresses.web_api}/api`,
    auth: addresses.auth,
    simulator: addresses.simulator,
    shop: addresses.shop,
    console: addresses.console,
    console_sign_in,
    sites,
  }
  writeWhole(places.environment, `${JSON.stringify(environment, undefined, 2)}\n`)
}

export function removeEnvironment(places: Places): void {
  rmSync(places.environment, { force: true })
}
