import { join } from 'node:path'
import { ensurePrograms } from '#local'
import { runFaults } from '../dependencies/run-faults.ts'
import type { FaultPart } from '../part.ts'
import { failoverFaults } from './failover-faults.ts'
import { startFailoverStack } from './failover-stack.ts'

const explanation = [
  'Redis with a replica and three sentinels, a cluster of three NATS servers, Postgres with a synchronous standby, and PgBouncer with pools of transactions.',
  'The time to recover counts from the moment when another server has taken over; for `nats_server_…` and `pgbouncer_restarted` from the beginning, for',
  '`pgbouncer_killed` from the end of the fault. It includes the time until every process is ready and counts in Redis.',
].join(' ')

/** Servers of which another one takes over, under traffic. */
export const failovers: FaultPart = {
  name: 'failovers',
  description: 'makes another server of Redis, NATS and Postgres take over, and restarts PgBouncer, under traffic',
  cases: failoverFaults.map(({ name }) => name),
  core: [],
  async run(options) {
    const { directory, step } = options
    await step('PgBouncer', (note) => ensurePrograms(['pgbouncer'], { note, log: join(directory, 'install.log') }))
    await using stack = await startFailoverStack(directory, options)
    return await runFaults({ title: 'Failovers', explanation }, failoverFaults, { stack, options })
  },
}
