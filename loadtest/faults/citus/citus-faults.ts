import pg from 'pg'
import { databaseOwners } from '../../../deploy/local/database-owners.ts'
import type { ControlledServer } from '../../../testing/controlled-server.ts'
import type { DependencyFault } from '../dependencies/dependency-faults.ts'
import { areAllConnected } from '../failovers/are-all-connected.ts'
import type { FaultSite } from '../site.ts'
import type { CitusStack } from './citus-stack.ts'

type CitusFault = DependencyFault<CitusStack>

/** No process loses a server, and no request may fail. */
const moved = { extent: 'failover', staysReady: true, concerns: 'none', isRestored: areAllConnected } as const

/** The data of the site cannot be read or changed until the server is back. */
const failed = { extent: 'all', isRestored: areAllConnected } as const

/** The data of the site goes to the other worker in every database, or comes back with logical replication. */
export const citusFaults: readonly CitusFault[] = [
  { ...moved, name: 'site_moved', begin: (stack, site) => moveSite(stack, site), end: () => {} },
  {
    ...moved,
    name: 'site_moved_back_and_forth',
    async begin(stack, site) {
      await moveSite(stack, site)
      await moveSite(stack, site)
    },
    end: () => {},
  },
  {
    ...failed,
    name: 'worker_killed',
    begin: async (stack, site) => (await findWorker(stack, site)).kill(),
    // It starts only a server that does not run.
    end: async ({ workers }) => {
      for (const worker of workers) await worker.repair()
    },
  },
  {
    ...failed,
    name: 'worker_stopped',
    begin: async (stack, site) => (await findWorker(stack, site)).freeze(),
    end: ({ workers }) => {
      for (const worker of workers) worker.thaw()
    },
  },
  {
    ...failed,
    name: 'coordinator_killed',
    begin: ({ coordinator }) => coordinator.kill(),
    end: ({ coordinator }) => coordinator.start(),
  },
]

const distributed = databaseOwners.filter(({ distribution }) => distribution !== undefined)

/** As docs/operate/scaling.md describes it, one database after another. */
async function moveSite(stack: CitusStack, { site }: FaultSite): Promise<void> {
  for (const { database } of distributed) {
    const rows = await query(
      [stack, database],
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
    if (rows.length !== 1) throw new Error(`The shard of site ${site} in ${database} was not moved.`)
  }
}

/** The worker that has the users of the site. */
async function findWorker(stack: CitusStack, { site }: FaultSite): Promise<ControlledServer> {
  const [row] = await query(
    [stack, 'identity'],
    `select nodeport from pg_dist_shard_placement where shardid = get_shard_id_for_distribution_column('users', $1::integer)`,
    [site],
  )
  const place = stack.postgres.workers.findIndex((url) => new URL(url).port === String(row?.nodeport))
  const worker = stack.workers[place]
  if (worker === undefined) throw new Error(`No worker has the users of site ${site}.`)
  return worker
}

/** Runs a statement on the coordinator, as the superuser. */
async function query(
  [{ postgres }, database]: readonly [stack: CitusStack, database: string],
  statement: string,
  values: readonly unknown[],
): Promise<Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(postgres.url), { pathname: database }).href })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement, [...values])
    return rows
  } finally {
    await client.end()
  }
}
