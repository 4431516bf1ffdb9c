import pg from 'pg'
import { databaseOwners } from '../../../deploy/local/database-owners.ts'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import { areAllConnected } from '../failovers/are-all-connected.ts'
import type { FaultSite } from '../site.ts'
import type { CitusStack } from './citus-stack.ts'

type CitusFault = DependencyFault<CitusStack>

/** No process loses a server, and no request may fail. */
const common = { extent: 'failover', staysReady: true, concerns: 'none', isRestored: areAllConnected } as const

/** The data of the site goes to the other worker in every database, or comes back with logical replication. */
export const citusFaults: readonly CitusFault[] = [
  { ...common, name: 'site_moved', begin: (stack, site) => moveSite(stack, site), end: () => {} },
  {
    ...common,
    name: 'site_moved_back_and_forth',
    async begin(stack, site) {
      await moveSite(stack, site)
      await moveSite(stack, site)
    },
    end: () => {},
  },
]

const distributed = databaseOwners.filter(({ distribution }) => distribution !== undefined)

/** As docs/operate/scaling.md describes it, one database after another. */
async function moveSite({ postgres }: CitusStack, { site }: FaultSite): Promise<void> {
  for (const { database } of distributed) {
    const client = new pg.Client({
      connectionString: Object.assign(new URL(postgres.url), { pathname: database }).href,
    })
    await client.connect()
    try {
      const { rowCount } = await client.query(
        `select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'force_logical')
         from (
           select p.shardid, p.nodename, p.nodeport
           from pg_dist_partition t
           join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column(t.logicalrelid, $1::integer)
           where t.partmethod = 'h' limit 1
         ) s
         join pg_dist_node n on n.shouldhaveshards and n.groupid <> 0 and (n.nodename, n.nodeport) <> (s.nodename, s.nodeport)
         limit 1`,
        [site],
      )
      if (rowCount !== 1) throw new Error(`The shard of site ${site} in ${database} was not moved.`)
    } finally {
      await client.end()
    }
  }
}
