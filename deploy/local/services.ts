import { type Environment, settingPrefix } from '#runtime'
import type { DemoSite } from './demo.ts'
import type { Wiring } from './wiring.ts'

/** A service: `node <script>` with this environment in addition to what every service receives. */
export interface ServiceDescription {
  readonly name: string
  readonly script: string
  /** Arguments of Node.js. */
  readonly node_arguments?: readonly string[]
  readonly environment: (wiring: Wiring) => Environment
  /** URL that returns 200 when the service is ready; by default `/readyz` of its operations port. */
  readonly readyAt?: (wiring: Wiring) => string
}

/** Groups in start order: services of a group start together, a group starts when the previous one is ready. */
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
        ENCRYPTION_KEYS: wiring.encryption_keys,
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
    {
      name: 'events',
      script: 'services/events/main.ts',
      environment: (wiring) => ({
        DATABASE_URL: wiring.database_urls.get('events'),
        NATS_URL: wiring.natsUrlOf('events'),
        ENCRYPTION_KEYS: wiring.encryption_keys,
        // Developers receive events on their machine.
        WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
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
        // Browsers resolve these names to this machine (RFC 6761 6.3).
        SITE_HOST_PATTERN: '{site_id}.{account}.localhost',
        WEB_API_URL: wiring.addresses.web_api,
        ENCRYPTION_KEYS: wiring.encryption_keys,
        PROVIDER_SIMULATOR_URL: wiring.addresses.simulator,
        // Developers try login providers on their machine.
        PROVIDER_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
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
        ENCRYPTION_KEYS: wiring.encryption_keys,
        // Developers receive notices on their machine.
        WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
        // Developers try OpenID Providers on their machine.
        SIGN_IN_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
      }),
    },
  ],
]

/** All services but the simulated login providers in one process. */
export const allInOne: ServiceDescription = {
  name: 'all-in-one',
  script: 'services/all-in-one/main.ts',
  environment: (wiring) =>
    Object.fromEntries(
      services
        .flat()
        .filter(({ name }) => name !== 'provider-simulator')
        .flatMap(({ name, environment }) =>
          Object.entries(environment(wiring)).map(([setting, value]) => [`${settingPrefix(name)}${setting}`, value]),
        ),
    ),
}

/** The demo shop: an example customer application of one demo site. */
export function demoShop(site: DemoSite): ServiceDescription {
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
