import { type Cost, costs, plannedServices } from '../toolkit/costs.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { type Plan, planInstallation, type Servers, type Workload } from './model.ts'

/** A plan as Markdown. */
export function formatPlan(workload: Workload, servers: Servers): string {
  const plan = planInstallation(workload, servers)
  const { requests, logins, users } = workload
  const services = plan.services.map(({ service, cores, replicas, load, mean_wait_ms, p99_wait_ms }) => [
    service,
    String(replicas),
    cores.toFixed(2),
    `${Math.round(load * 100)} %`,
    mean_wait_ms.toFixed(1),
    p99_wait_ms.toFixed(1),
  ])
  const limits = plan.limits.map(({ resource, used, limit, unit, growth }) => [
    resource,
    `${round(used)} of ${round(limit)} ${unit}`,
    Number.isFinite(growth) ? `× ${round(growth)}` : 'never',
  ])
  const disk = plan.disk.map(({ service, bytes }) => [service, `${round(bytes / 1e9)} GB`])
  const [first] = plan.limits
  return [
    `${count(requests)} requests and ${count(logins)} logins per second at the peak, ${count(users)} users.`,
    formatTable(['Service', 'replicas', 'cores', 'load without one', 'mean wait, ms', '99th percentile, ms'], services),
    formatTable(
      ['Server', 'cores'],
      Object.entries(plan.cores).map(([server, cores]) => [server, cores.toFixed(2)]),
    ),
    `${count(plan.connections)} connections to Postgres; ${round(plan.log_bytes_per_day / 1e9)} GB of logs per day if the peak lasts all day.`,
    formatTable(['Database', 'disk'], disk),
    formatTable(['Breaks first', 'used', 'until the limit'], limits),
    first !== undefined && first.growth < 1
      ? `${first.resource} is beyond its limit: divide the installation into cells, or use a larger server.`
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The costs that plans are computed with. */
export function formatCosts(): string {
  const names = [...plannedServices, 'postgres', 'redis', 'nats'] as const
  const row = (title: string, cost: Cost) => [title, ...names.map((name) => String(cost[name]))]
  return formatTable(
    ['Milliseconds of a core', ...names],
    [row('one request of the mix', costs.request), row('one login', costs.login)],
  )
}

/** The table of `docs/operate/capacity.md`: the plans for API keys that use their full limit. */
export function formatSizing(requestsOfKey: number, keys: readonly number[], servers: Servers): string {
  const workloads = keys.map((number) => ({ requests: number * requestsOfKey, logins: 0, users: 0 }))
  const plans = workloads.map((workload) => planInstallation(workload, servers))
  const row = (title: string, value: (plan: Plan) => string) => [title, ...plans.map(value)]
  return formatTable(
    ['Keys at full limit', ...keys.map(String)],
    [
      ['requests per second', ...workloads.map(({ requests }) => count(Math.round(requests)))],
      ...plannedServices.map((name, place) =>
        row(place === 0 ? `replicas: ${name}` : name, ({ services }) => String(services[place]?.replicas)),
      ),
      row('cores of Postgres, all databases', ({ cores }) => round(cores.postgres)),
      row('cores of Redis, of the one it uses', ({ cores }) => round(cores.redis)),
      row('cores of NATS', ({ cores }) => round(cores.nats)),
      row('connections to Postgres', ({ connections }) => String(connections)),
      row('logs', (plan) => `${round(plan.log_bytes_per_day / 1e9)} GB per day`),
    ],
  )
}

function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 })
}

/** Two significant digits, because the costs have no more. */
function round(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 2 })
}
