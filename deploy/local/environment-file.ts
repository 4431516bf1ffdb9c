import { rmSync } from 'node:fs'
import type { ConsoleAccess } from './console-access.ts'
import type { DemoSite } from './demo.ts'
import type { Paths } from './paths.ts'
import { writeFileAtomically } from './secrets.ts'
import type { Wiring } from './wiring.ts'

/** Writes addresses and keys for scripts. The file exists only while everything is ready. */
export function writeEnvironmentFile(
  paths: Paths,
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
  writeFileAtomically(paths.environment, `${JSON.stringify(environment, undefined, 2)}\n`)
}

export function removeEnvironmentFile(paths: Paths): void {
  rmSync(paths.environment, { force: true })
}
