import type { ClusterServer } from '../../../testing/redis-cluster.ts'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import { areAllConnected } from '../failovers/are-all-connected.ts'
import type { FaultSite } from '../site.ts'
import type { ClusterStack } from './cluster-stack.ts'

type ClusterFault = DependencyFault<ClusterStack>

/** How many slots move at a time, one of which has the window of the site. */
const movedSlots = 100
const slotCount = 16_384

/** No process requires Redis, and no request may fail. */
const common = { extent: 'failover', staysReady: true, concerns: 'none', isRestored: areAllConnected } as const

/** Another server of a Redis Cluster takes over the window of the site, and a third of all sessions. */
export const clusterFaults: readonly ClusterFault[] = [
  createFailover('cluster_master_killed', (master) => master.kill()),
  createFailover('cluster_master_stopped', (master) => master.freeze()),
  {
    ...common,
    name: 'cluster_switched_over',
    begin: async ({ redis }, site) => redis.switchOver(await redis.findMaster(windowKeyOf(site))),
    end: ({ redis }) => redis.repair(),
  },
  {
    ...common,
    name: 'cluster_resharded',
    async begin({ redis }, site) {
      const key = windowKeyOf(site)
      const [owner, first] = await Promise.all([redis.findMaster(key), redis.findSlot(key)])
      const target = (await redis.listMasters()).find((master) => master !== owner)
      if (target === undefined) throw new Error('The cluster has one master.')
      const slots = Array.from({ length: movedSlots }, (_, index) => (first + index) % slotCount)
      await redis.moveSlots(slots, target)
    },
    end: ({ redis }) => redis.repair(),
  },
]

function createFailover(name: string, fail: (master: ClusterServer) => Promise<void> | void): ClusterFault {
  return {
    ...common,
    name,
    async begin({ redis }, site) {
      const master = await redis.findMaster(windowKeyOf(site))
      await fail(master)
      await redis.whenReplaced(master)
    },
    end: ({ redis }) => redis.repair(),
  }
}

/** As the gateway names it. */
function windowKeyOf({ site }: FaultSite): string {
  return `rate:${site}`
}
