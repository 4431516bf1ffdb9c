/** Services, in the order of reports. */
export const plannedServices = [
  'api-gateway',
  'identity',
  'profile',
  'provider-auth',
  'friendship',
  'events',
  'console',
] as const
export type PlannedService = (typeof plannedServices)[number]

/** Milliseconds of a core that one piece of work takes in each service and server. */
export type Cost = Readonly<Record<PlannedService | 'postgres' | 'redis' | 'nats', number>>

/**
 * The costs of `npm run bench:cost`, with a reserve of 30 % for other load on the machine (`docs/operate/capacity.md`,
 * Measurements), and of an event that goes to one webhook.
 */
export const costs = {
  /** One request of the mix of `many_keys`. */
  request: {
    'api-gateway': 0.7,
    identity: 0.35,
    profile: 0.3,
    'provider-auth': 0.2,
    friendship: 0.15,
    events: 0,
    console: 0.01,
    postgres: 0.7,
    redis: 0.1,
    nats: 0.3,
  },
  /** One login, with its tokens and its event. */
  login: {
    'api-gateway': 0,
    identity: 2.7,
    profile: 2.7,
    'provider-auth': 15.8,
    friendship: 0,
    events: 0.6,
    console: 0,
    postgres: 6.7,
    redis: 0.2,
    nats: 1.5,
  },
} as const satisfies Record<string, Cost>

/** Load of a core that leaves room for a rollout and keeps response times low. */
export const targetLoad = 0.6
/** Connections to Postgres of a replica of each service except api-gateway (`docs/operate/capacity.md`, Connections to Postgres). */
export const connectionsPerReplica = 13
/** Part of `max_connections` that services may use. */
export const usableConnections = 0.8
/** Bytes of log of one request and of one login at level `info`. */
export const logBytes = { request: 223, login: 925 } as const
