import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlledServer } from '../../../testing/controlled-server.ts'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import { areAllConnected } from './are-all-connected.ts'
import type { FailoverStack } from './failover-stack.ts'

type Failover = DependencyFault<FailoverStack>

/** How long an operator of Postgres waits before it replaces a primary that does not answer. */
const noticedAfterMs = 3_000

/** Redis Sentinel makes the replica the master. No process requires Redis. */
const redisFailovers: readonly Failover[] = [
  createRedisFailover('redis_master_killed', (master) => master.kill()),
  createRedisFailover('redis_master_stopped', (master) => master.freeze()),
  createRedisFailover('redis_master_and_sentinel_killed', async (master, sentinel) => {
    await sentinel?.kill()
    await master.kill()
  }),
  {
    ...common('redis_switched_over'),
    staysReady: true,
    begin: ({ redis }) => redis.switchOver(),
    end: ({ redis }) => redis.repair(),
  },
]

const natsFailovers: readonly Failover[] = [
  {
    ...common('nats_server_killed'),
    begin: ({ nats }) => nats.servers[0]?.kill(),
    end: ({ nats }) => nats.servers[0]?.repair(),
  },
  {
    ...common('nats_server_stopped'),
    begin: ({ nats }) => nats.servers[1]?.freeze(),
    end: ({ nats }) => nats.servers[1]?.repair(),
  },
]

const postgresFailovers: readonly Failover[] = [
  {
    ...common('postgres_primary_killed'),
    async begin({ postgres }) {
      await postgres.primary().kill()
      await sleep(noticedAfterMs)
      await postgres.promote()
    },
    end: ({ postgres }) => postgres.rejoin(),
  },
  {
    ...common('postgres_primary_stopped'),
    async begin({ postgres }) {
      const failed = postgres.primary()
      failed.freeze()
      await sleep(noticedAfterMs)
      await postgres.promote()
      // As an operator does, so that two primaries never run.
      await failed.kill()
    },
    end: ({ postgres }) => postgres.rejoin(),
  },
]

const poolerFaults: readonly Failover[] = [
  {
    ...common('pgbouncer_restarted'),
    begin: ({ pgbouncer }) => pgbouncer.restart(),
    end: () => {},
  },
  {
    ...common('pgbouncer_killed'),
    extent: 'all',
    begin: ({ pgbouncer }) => pgbouncer.kill(),
    end: ({ pgbouncer }) => pgbouncer.start(),
  },
]

export const failoverFaults: readonly Failover[] = [
  ...redisFailovers,
  ...natsFailovers,
  ...postgresFailovers,
  ...poolerFaults,
]

function common(name: string) {
  return { name, extent: 'failover', isRestored: areAllConnected } as const
}

function createRedisFailover(
  name: string,
  fail: (master: ControlledServer, sentinel: ControlledServer | undefined) => Promise<void> | void,
): Failover {
  return {
    ...common(name),
    staysReady: true,
    async begin({ redis }) {
      const master = await redis.findMaster()
      await fail(master, redis.sentinels[0])
      await redis.whenReplaced(master)
    },
    end: ({ redis }) => redis.repair(),
  }
}
