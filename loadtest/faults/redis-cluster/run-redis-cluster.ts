import { runFaults } from '../dependencies/run-faults.ts'
import { formatLimits, runLimitCases } from '../limits/run-limits.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { openFaultSite } from '../site.ts'
import { clusterFaults } from './cluster-faults.ts'
import { startClusterStack } from './cluster-stack.ts'

const explanation = [
  'Three masters with a replica each. A failover concerns the master that counts the requests of the site, and has a third of all sessions.',
  'No request and no login may fail. The time to recover counts from the moment when another server has taken over, and includes the time until every process is connected to every master.',
].join(' ')

/** So few that the limit is reached while masters fail, also on a slow machine. */
const limit = 2_500

const limitCases = new Map(clusterFaults.map((fault) => [`limit_${fault.name}`, fault]))

/** A Redis Cluster whose masters fail and whose slots move, under traffic and at a site's limit. */
export const redisCluster: FaultPart = {
  name: 'redis-cluster',
  description: 'makes masters of a Redis Cluster fail and moves slots, under traffic and at the limit of a site',
  cases: [...clusterFaults.map(({ name }) => name), ...limitCases.keys()],
  core: [],
  run,
}

async function run(options: PartOptions): Promise<PartReport> {
  const { directory, selected, step, print, save } = options
  await using stack = await startClusterStack(directory, options)
  const title = 'Redis Cluster'
  const traffic = await runFaults({ title, explanation }, clusterFaults, { stack, options })
  await using site = await step('Site with a limit', () => openFaultSite(stack, limit))
  const chosen = new Map([...limitCases].filter(([name]) => selected.includes(name)))
  const toReport = (limits: PartReport): PartReport => ({
    text: `${traffic.text}\n\n${limits.text}`,
    violations: [...traffic.violations, ...limits.violations],
  })
  const results = await runLimitCases(chosen, { stack, site, limit, print, save: (limits) => save(toReport(limits)) })
  return toReport(formatLimits(results, { title: 'Limits of a Redis Cluster', limit }))
}
