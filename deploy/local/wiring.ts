import { randomBytes } from 'node:crypto'
import type { Dependencies } from './dependencies.ts'
import type { Secrets } from './secrets.ts'
import type { LocalSettings } from './settings.ts'

/** Addresses, URLs and keys for the services' environments. */
export interface Wiring extends Dependencies {
  readonly ports: Readonly<Record<'web_api' | 'auth' | 'simulator' | 'shop' | 'console', number>>
  /** Public addresses; the Web API's operations are under `/api`. */
  readonly addresses: {
    readonly web_api: string
    readonly auth: string
    readonly simulator: string
    readonly shop: string
    readonly console: string
  }
  /** Database URLs by database name. */
  readonly database_urls: ReadonlyMap<string, string>
  readonly encryption_keys: string
  readonly cursor_key: string
}

export function createWiring(
  settings: LocalSettings,
  dependencies: Dependencies,
  { database_urls, secrets }: { database_urls: ReadonlyMap<string, string>; secrets: Secrets },
): Wiring {
  const ports = {
    web_api: settings.WEB_API_PORT,
    auth: settings.AUTH_PORT,
    simulator: settings.SIMULATOR_PORT,
    shop: settings.SHOP_PORT,
    console: settings.CONSOLE_PORT,
  }
  const addressOf = (port: number) => `http://localhost:${port}`
  const key = () => randomBytes(32).toString('base64')
  return {
    ...dependencies,
    ports,
    addresses: {
      web_api: addressOf(ports.web_api),
      auth: addressOf(ports.auth),
      simulator: addressOf(ports.simulator),
      shop: addressOf(ports.shop),
      console: addressOf(ports.console),
    },
    database_urls,
    encryption_keys: secrets.getOrCreate('encryption_keys', () => `local:${key()}`),
    cursor_key: secrets.getOrCreate('cursor_key', key),
  }
}
