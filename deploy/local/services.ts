import type { Environment } from '#runtime'
import type { DemoSite } from './demo.ts'
import type { Wiring } from './wiring.ts'

/** A program of ours: `node <script>` with exactly this environment, beside what every one of them gets. */
export interface ServiceDescription {
  readonly name: string
  readonly script: string
  readonly environment: (wiring: Wiring) => Environment
  /** What answers 200 when it can serve; without it, `/readyz` of its operations port. */
  readonly readyAt?: (wiring: Wiring) => string
}

/** In the order of starting: the services of one row together, a row when the one before is ready. Stopped in reverse. */
export const services: readonly (readonly ServiceDescription[])[] = [
  [
    {
      name: 'identity',
      script: 'services/identity/main.ts',
      environment: (wiring) => ({
        DATABASE_URL: wiring.database_urls.get('identity'),
        NATS_URL: wiring.natsUrlOf('identity'),
      }),
    },
    {
      name: 'profile',
      script: 'services/profile/main.ts',
      environment: (wiring) => ({
        DATABASE_URL: wiring.database_urls.get('profile'),
        NATS_URL: wiring.natsUrlOf('profile'),
      }),
    },
    {
      name: 'friendship',
      script: 'services/friendship/main.ts',
      environment: (wiring) => ({
        DATABASE_URL: wiring.database_urls.get('friendship'),
        NATS_URL: wiring.natsUrlOf('friendship'),
      }),
    },
  ],
  [
    {
      name: 'provider-auth',
      script: 'services/provider-auth/main.ts',
      environment: (wiring) => ({
        DATABASE_URL: wiring.database_urls.get('provider_auth'),
        NATS_URL: wiring.natsUrlOf('provider-auth'),
        REDIS_URL: wiring.redisUrl,
        PORT: String(wiring.ports.auth),
        AUTH_URL: wiring.addresses.auth,
        WEB_API_URL: wiring.addresses.web_api,
        ENCRYPTION_KEYS: wiring.encryption_keys,
        PROVIDER_SIMULATOR_URL: wiring.addresses.simulator,
      }),
    },
    {
      name: 'provider-simulator',
      script: 'services/provider-simulator/main.ts',
      environment: (wiring) => ({ PORT: String(wiring.ports.simulator), SIMULATOR_URL: wiring.addresses.simulator }),
    },
    {
      name: 'api-gateway',
      script: 'services/api-gateway/main.ts',
      environment: (wiring) => ({
        NATS_URL: wiring.natsUrlOf('api-gateway'),
        REDIS_URL: wiring.redisUrl,
        PORT: String(wiring.ports.web_api),
        WEB_API_URL: wiring.addresses.web_api,
        AUTH_URL: wiring.addresses.auth,
        CURSOR_KEY: wiring.cursor_key,
      }),
    },
    {
      name: 'console',
      script: 'services/console/main.ts',
      environment: (wiring) => ({
        DATABASE_URL: wiring.database_urls.get('console'),
        NATS_URL: wiring.natsUrlOf('console'),
        PORT: String(wiring.ports.console),
        CONSOLE_URL: wiring.addresses.console,
      }),
    },
  ],
]

/** The customer's site that shows it all; it knows one site of the demo as any customer's server would. */
export function shopOf(site: DemoSite): ServiceDescription {
  const [client] = site.clients
  return {
    name: 'shop',
    script: 'docs/examples/shop/main.ts',
    readyAt: (wiring) => wiring.addresses.shop,
    environment: (wiring) => ({
      PORT: String(wiring.ports.shop),
      SHOP_URL: wiring.addresses.shop,
      AUTH_URL: wiring.addresses.auth,
      WEB_API_URL: wiring.addresses.web_api,
      API_KEY: site.api_key,
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
    }),
  }
}
