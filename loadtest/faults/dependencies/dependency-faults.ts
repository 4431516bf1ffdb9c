import pg from 'pg'
import type { ProxyMode } from '../../../testing/fault-proxy.ts'
import type { ServerName } from '../../toolkit/stack/server-pids.ts'
import type { ProviderMode } from '../replicas/provider-front.ts'
import type { ReplicatedStack } from '../replicas/replicated-stack.ts'
import type { Replica, ServiceReplicas } from '../replicas/service-replicas.ts'
import type { FaultSite } from '../site.ts'

/** A server or network that fails for a while under traffic. */
export interface DependencyFault<S extends ServiceReplicas = ReplicatedStack> {
  readonly name: string
  /**
   * `partial` faults concern one process of each service, and in a `failover` another server takes over before `begin` resolves,
   * so that the product must serve again while they last.
   */
  readonly extent: 'all' | 'partial' | 'failover'
  /** Whether processes must stay ready, so that new clients are served as well. */
  readonly staysReady?: boolean
  /** Whether it stops a process that clients are connected to. The requests that it received are answered when it continues. */
  readonly holdsRequests?: boolean
  /** The only kind of request that may fail. */
  readonly concerns?: 'login' | 'none'
  /** Whether logins may be rejected, instead of only being unavailable. */
  readonly rejectsLogins?: boolean
  readonly begin: (stack: S, site: FaultSite) => Promise<void> | void
  readonly end: (stack: S) => Promise<void> | void
  /** Whether everything is as before, in addition to requests that succeed. */
  readonly isRestored?: (stack: S) => Promise<boolean>
  /** Waits until the work that the fault left is done. Returns violations. */
  readonly settle?: (stack: S) => Promise<readonly string[]>
}

const servers = ['postgres', 'nats', 'redis'] as const

function setModes(replicas: readonly Replica[], server: ServerName, mode: ProxyMode): void {
  for (const { proxies } of replicas) proxies[server]?.setMode(mode)
}

/** The first process of each service. */
export function firstOfEach({ replicas }: ReplicatedStack): Replica[] {
  return replicas.filter(({ service }, index) => replicas.findIndex((other) => other.service === service) === index)
}

function faultsOf(server: ServerName): readonly DependencyFault[] {
  // No process requires Redis.
  const all = { extent: 'all', staysReady: server === 'redis' } as const
  const network = (mode: ProxyMode, title: string): readonly DependencyFault[] => [
    {
      ...all,
      name: `${server}_${title}`,
      begin: ({ replicas }) => setModes(replicas, server, mode),
      end: ({ replicas }) => setModes(replicas, server, 'forward'),
    },
    {
      extent: 'partial',
      name: `${server}_${title}_for_one`,
      begin: (stack) => setModes(firstOfEach(stack), server, mode),
      end: (stack) => setModes(firstOfEach(stack), server, 'forward'),
    },
  ]
  return [
    {
      ...all,
      name: `${server}_killed`,
      begin: ({ servers }) => servers[server].kill(),
      end: ({ servers }) => servers[server].start(),
    },
    {
      ...all,
      name: `${server}_stopped`,
      begin: ({ servers }) => servers[server].freeze(),
      end: ({ servers }) => servers[server].thaw(),
    },
    ...network('black-hole', 'black_holed'),
    {
      // Open connections lose their other end; new ones work.
      extent: 'partial',
      name: `${server}_half_open`,
      begin({ replicas }) {
        setModes(replicas, server, 'black-hole')
        setModes(replicas, server, 'forward')
      },
      end: () => {},
    },
    ...network('slow', 'slow'),
    ...network('refuse', 'refusing'),
  ]
}

const readOnly: DependencyFault = {
  name: 'postgres_read_only',
  extent: 'all',
  begin: (stack) => setReadOnly(stack, 'on'),
  end: (stack) => setReadOnly(stack, 'off'),
}

/** As after a failover to a standby: sessions that are open become read-only as well. */
async function setReadOnly({ wiring }: ReplicatedStack, value: 'on' | 'off'): Promise<void> {
  const superuser = new pg.Client({ connectionString: wiring.postgres_url })
  await superuser.connect()
  try {
    await superuser.query('set default_transaction_read_only = off')
    await superuser.query(`alter system set default_transaction_read_only = ${value}`)
    await superuser.query('select pg_reload_conf()')
  } finally {
    await superuser.end()
  }
}

/** One process of a service that is stopped, as by a stalled event loop or a frozen machine. */
const stoppedProcesses = ['identity', 'profile', 'friendship', 'events', 'provider-auth', 'api-gateway'].map(
  (service): DependencyFault => ({
    name: `${service}_stopped`,
    extent: 'partial',
    holdsRequests: service === 'api-gateway' || service === 'provider-auth',
    begin: ({ replicas }) => replicas.find((one) => one.service === service)?.signal('SIGSTOP'),
    end: ({ replicas }) => replicas.find((one) => one.service === service)?.signal('SIGCONT'),
  }),
)

/** The servers of all login providers. */
const failingProviders = (
  [
    ['hang', 'providers_hanging'],
    ['dribble', 'providers_dribbling'],
    ['oversize', 'providers_oversized'],
  ] as const satisfies readonly (readonly [ProviderMode, string])[]
).map(
  ([mode, name]): DependencyFault => ({
    name,
    extent: 'all',
    concerns: 'login',
    begin: ({ providers }) => providers.setMode(mode),
    end: ({ providers }) => providers.setMode('forward'),
  }),
)

export const dependencyFaults: readonly DependencyFault[] = [
  ...servers.flatMap(faultsOf),
  readOnly,
  ...stoppedProcesses,
  ...failingProviders,
]
