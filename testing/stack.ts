import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type BusClient, type Call, connectBus, createClient, createLocalServices, newCall } from '#bus'
import * as contracts from '#contracts'
import { createLogger, type Environment, type RunningService } from '#runtime'
import { atFreePort } from './at-free-port.ts'
import { cloneDatabase, dropDatabase, openForTest } from './databases.ts'
import { createLauncher, type Launch, type Launcher } from './launcher.ts'
import { type Outage, startStackRedis } from './outage.ts'
import {
  apiGateway,
  events,
  friendship,
  identity,
  managementConsole,
  profile,
  providerAuth,
  providerSimulator,
} from './services.ts'
import { type StackObserver, startStackBus } from './stack-bus.ts'
import { type TestClient, withNewCommands } from './with-new-commands.ts'

/**
 * All services in this process, with their own Postgres databases, Redis and NATS. NATS enforces the permissions of each
 * service; connections without a user have all permissions.
 */
export interface ServiceStack extends SharedStack, Pick<Launcher, 'stopService'>, AsyncDisposable {
  readonly nats: Outage
  readonly redis: Outage
  /** The running replicas, to stop some of them permanently. */
  readonly services: Readonly<Record<ServiceName, readonly RunningService<unknown>[]>>
}

/** A stack without the functions that stop parts of it. */
export interface SharedStack {
  /** The Web API's base URL of each gateway, ending in `/api`; `web_api` is the first. */
  readonly gateways: readonly string[]
  readonly web_api: string
  readonly auth: string
  readonly simulator: string
  readonly identity: TestClient<typeof contracts.identityContract>
  readonly profile: TestClient<typeof contracts.profileContract>
  readonly provider_auth: TestClient<typeof contracts.providerAuthContract>
  readonly friendship: BusClient<typeof contracts.friendshipContract>
  readonly events: BusClient<typeof contracts.eventsContract>
  /** Creates the second argument of a client's functions. */
  readonly call: () => Call
  /** URLs of the services' databases, for inspection. */
  readonly database_urls: Readonly<Record<'identity' | 'profile' | 'provider_auth' | 'friendship' | 'events', string>>
  readonly nats: Pick<Outage, 'url'>
  readonly redis: Pick<Outage, 'url'>
  /** The `ENCRYPTION_KEYS` of provider-auth, to decrypt its values. */
  readonly encryption_keys: string
  readonly console: ManagementConsole
}

export interface ManagementConsole {
  /** Its base URL, that of the Admin API without `/admin/v1`. */
  readonly url: string
  readonly database_url: string
  readonly replica: RunningService<unknown>
}

type ServiceName = 'identity' | 'profile' | 'friendship' | 'events' | 'provider_auth' | 'api_gateway' | 'simulator'

export interface StackOptions {
  readonly gateways?: number
  readonly identities?: number
  /** Additional settings of the gateways, e.g. `RATE_WINDOW_SECONDS`. */
  readonly gatewayEnvironment?: Environment
  readonly identityEnvironment?: Environment
  readonly profileEnvironment?: Environment
  readonly providerAuthEnvironment?: Environment
  readonly consoleEnvironment?: Environment
  /** The simulator's host; set it if browsers must treat it as another site. Default: `localhost`. */
  readonly simulatorHost?: string
  readonly observer?: StackObserver
}

/** Whether services call each other directly, as in one process, instead of over NATS. `npm run test:one-process` sets it. */
export const runsAsOneProcess = process.env.TEST_ONE_PROCESS === 'yes'

export async function startStack(options: StackOptions = {}): Promise<ServiceStack> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(inject('directory'), 'serviceStack-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))

  // Random, so that no service connects to another test's NATS on the same port after an outage. NATS parses a password
  // that starts with a digit as a number.
  const natsPassword = `p${randomBytes(16).toString('hex')}`
  const postgresUrl = inject('postgres_url')
  const clone = async (service: string) => {
    const url = await cloneDatabase(postgresUrl, service)
    starting.defer(() => dropDatabase(postgresUrl, url))
    return url
  }
  const [bus, redis, identityUrl, profileUrl, providerAuthUrl, friendshipUrl, eventsUrl, consoleUrl] =
    await Promise.all([
      startStackBus(directory, natsPassword, options.observer).then((part) => starting.use(part)),
      startStackRedis(directory).then((part) => starting.use(part)),
      clone('identity'),
      clone('profile'),
      clone('provider-auth'),
      clone('friendship'),
      clone('events'),
      clone('console'),
    ])

  const localServices = runsAsOneProcess ? createLocalServices() : undefined
  const { launch, stopService } = createLauncher({
    stack: starting,
    natsUrl: bus.url,
    natsPassword,
    localServices,
    environment: { ...bus.files, ...(options.observer && { LOG_LEVEL: 'trace' }) },
    log: options.observer?.log,
  })
  const several = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one))

  // Started first and stopped last, because the others send usage reports to it until they stop.
  const console = await startConsole(consoleUrl, launch, options.consoleEnvironment)
  const identities = several(options.identities ?? 1, () =>
    launch('identity', identity, { DATABASE_URL: identityUrl, ...options.identityEnvironment }),
  )
  const [identityServices, profileService, friendshipService, eventsService] = await Promise.all([
    identities,
    launch('profile', profile, {
      DATABASE_URL: profileUrl,
      ENCRYPTION_KEYS: inject('encryption_keys'),
      ...options.profileEnvironment,
    }),
    launch('friendship', friendship, { DATABASE_URL: friendshipUrl }),
    launch('events', events, {
      DATABASE_URL: eventsUrl,
      ENCRYPTION_KEYS: inject('encryption_keys'),
      // Receivers of tests are on this machine.
      WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8',
    }),
  ])
  const secret = () => randomBytes(32).toString('base64')
  const cursorKey = secret()
  const encryptionKeys = options.providerAuthEnvironment?.ENCRYPTION_KEYS ?? inject('encryption_keys')
  if (
    encryptionKeys !== inject('encryption_keys') ||
    options.providerAuthEnvironment?.ENCRYPTION_KEYS_FILE !== undefined
  ) {
    await using database = openForTest(providerAuthUrl)
    await database.knex('signing_keys').delete()
  }
  const simulator = await atFreePort(
    (port, url) => launch('provider-simulator', providerSimulator, { PORT: String(port), SIMULATOR_URL: url }),
    options.simulatorHost,
  )
  const [startedProviderAuth, gatewayServices] = await Promise.all([
    atFreePort((port, url) =>
      launch('provider-auth', providerAuth, {
        DATABASE_URL: providerAuthUrl,
        REDIS_URL: redis.url,
        PORT: String(port),
        AUTH_URL: url,
        ENCRYPTION_KEYS: encryptionKeys,
        PROVIDER_SIMULATOR_URL: simulator.url,
        PROVIDER_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
        NODE_ENV: 'test',
        // Retries a failed provider immediately, so that other tests are not affected by the circuit breaker.
        PROVIDER_CIRCUIT_OPEN_MS: '0',
        // All logins of tests have the same source address.
        LOGINS_PER_ADDRESS: '0',
        ...options.providerAuthEnvironment,
      }),
    ),
    several(options.gateways ?? 1, () =>
      launch('api-gateway', apiGateway, {
        REDIS_URL: redis.url,
        PORT: '0',
        WEB_API_URL: 'https://api.example.com',
        CURSOR_KEY: cursorKey,
        // A machine that is busy with tests must not look like an outage of Redis.
        RATE_TIMEOUT_MS: '2000',
        ...options.gatewayEnvironment,
      }),
    ),
  ])

  const logger = createLogger('test', 'silent')
  const connection = starting.use(await connectBus(bus.url, { name: 'test', logger, files: bus.files }))
  const registry = new Registry()
  const gateways = gatewayServices.map(({ exposed }) => `http://localhost:${exposed.port}/api`)
  const stack = starting.move()
  return {
    gateways,
    web_api: gateways[0] ?? '',
    auth: startedProviderAuth.url,
    simulator: simulator.url,
    identity: withNewCommands(createClient(connection, contracts.identityContract, registry)),
    profile: withNewCommands(createClient(connection, contracts.profileContract, registry)),
    provider_auth: withNewCommands(createClient(connection, contracts.providerAuthContract, registry)),
    friendship: createClient(connection, contracts.friendshipContract, registry),
    events: createClient(connection, contracts.eventsContract, registry),
    call: () => newCall(),
    database_urls: {
      identity: identityUrl,
      profile: profileUrl,
      provider_auth: providerAuthUrl,
      friendship: friendshipUrl,
      events: eventsUrl,
    },
    console,
    encryption_keys: encryptionKeys,
    nats: bus.nats,
    redis,
    services: {
      identity: identityServices,
      profile: [profileService],
      friendship: [friendshipService],
      events: [eventsService],
      provider_auth: [startedProviderAuth.launched],
      api_gateway: gatewayServices,
      simulator: [simulator.launched],
    },
    stopService,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function startConsole(
  databaseUrl: string,
  launch: Launch,
  environment: Environment = {},
): Promise<ManagementConsole> {
  const { url, launched } = await atFreePort((port, address) =>
    launch('console', managementConsole, {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      CONSOLE_URL: address,
      DOCUMENTATION_URL: 'https://docs.example.com/login',
      ENCRYPTION_KEYS: inject('encryption_keys'),
      // Receivers and chats of tests are on this machine.
      WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8',
      // OpenID Providers of tests are on this machine.
      SIGN_IN_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
      NODE_ENV: 'development',
      ...environment,
    }),
  )
  return { url, database_url: databaseUrl, replica: launched }
}
