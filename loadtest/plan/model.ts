import {
  type Cost,
  connectionsPerReplica,
  costs,
  logBytes,
  type PlannedService,
  plannedServices,
  targetLoad,
  usableConnections,
} from '../toolkit/costs.ts'
import { bytesPerUser } from './disk.ts'

/** What an installation has to do at its peak, per second, and what it stores. */
export interface Workload {
  readonly requests: number
  readonly logins: number
  readonly users: number
}

/** What there is of the servers that all services share. */
export interface Servers {
  /** Cores of the Postgres server with all databases. */
  readonly postgres_cores: number
  readonly max_connections: number
  readonly nats_cores: number
  /** The largest database that can be backed up and restored in time, in GB. */
  readonly restorable_gb: number
}

export interface ServicePlan {
  readonly service: PlannedService
  /** Cores of all replicas. */
  readonly cores: number
  readonly replicas: number
  /** Load of each replica after one has failed, and the time that work then waits in its queue, in milliseconds. */
  readonly load: number
  readonly mean_wait_ms: number
  readonly p99_wait_ms: number
}

/** A resource that does not grow with replicas. */
export interface Limit {
  readonly resource: string
  readonly used: number
  readonly limit: number
  readonly unit: string
  /** How many times as much work it takes until the resource is at its limit. */
  readonly growth: number
}

export interface Plan {
  readonly services: readonly ServicePlan[]
  readonly cores: { readonly postgres: number; readonly redis: number; readonly nats: number }
  readonly connections: number
  /** Bytes per day, if the peak lasts all day. */
  readonly log_bytes_per_day: number
  /** Bytes of each database. */
  readonly disk: readonly { readonly service: string; readonly bytes: number }[]
  /** The one that breaks first is the first. */
  readonly limits: readonly Limit[]
}

/**
 * Plans an installation.
 *
 * - Cores of a component: requests × cost of a request + logins × cost of a login.
 * - Replicas of a service: cores / 0.6, rounded up, and one for a failure; at least two.
 * - Wait: each replica takes work from the bus in its order, so it is a queue M/M/1 with the load ρ of the replica and
 *   the service time s of its mix. The mean wait is ρs / (1 − ρ), and the wait that one of hundred exceeds s ln(100ρ) / (1 − ρ).
 */
export function planInstallation(workload: Workload, servers: Servers): Plan {
  const services = plannedServices.map((service) => planService(service, workload))
  const replicas = (name: PlannedService) => services.find(({ service }) => service === name)?.replicas ?? 0
  const connected = plannedServices.filter((service) => service !== 'api-gateway')
  const connections = connectionsPerReplica * connected.reduce((sum, service) => sum + replicas(service), 0)
  const cores = {
    postgres: coresOf('postgres', workload),
    redis: coresOf('redis', workload),
    nats: coresOf('nats', workload),
  }
  const disk = Object.entries(bytesPerUser).map(([service, bytes]) => ({ service, bytes: bytes * workload.users }))
  const largest = disk.toSorted((one, other) => other.bytes - one.bytes)[0]
  const limits = [
    createLimit('the core of Redis', cores.redis, targetLoad, 'cores'),
    createLimit('Postgres', cores.postgres, servers.postgres_cores * targetLoad, 'cores'),
    createLimit('NATS', cores.nats, servers.nats_cores * targetLoad, 'cores'),
    createLimit('connections of Postgres', connections, servers.max_connections * usableConnections, 'connections'),
    createLimit(`the database of ${largest?.service}`, (largest?.bytes ?? 0) / 1e9, servers.restorable_gb, 'GB'),
  ]
  const { requests, logins } = workload
  return {
    services,
    cores,
    connections,
    log_bytes_per_day: 86_400 * (requests * logBytes.request + logins * logBytes.login),
    disk,
    limits: limits.toSorted((one, other) => one.growth - other.growth),
  }
}

function planService(service: PlannedService, workload: Workload): ServicePlan {
  const cores = coresOf(service, workload)
  const replicas = Math.max(2, Math.ceil(cores / targetLoad) + 1)
  const load = cores / (replicas - 1)
  const { requests, logins } = workload
  const count = requests * Number(costs.request[service] > 0) + logins * Number(costs.login[service] > 0)
  const serviceMs = count === 0 ? 0 : (cores * 1_000) / count
  return { service, cores, replicas, load, ...waitsOf(load, serviceMs) }
}

/** Cores that a component uses, of all its processes. */
export function coresOf(component: keyof Cost, { requests, logins }: Pick<Workload, 'requests' | 'logins'>): number {
  return (requests * costs.request[component] + logins * costs.login[component]) / 1_000
}

/** Waiting time in a queue M/M/1. */
export function waitsOf(load: number, serviceMs: number): { mean_wait_ms: number; p99_wait_ms: number } {
  return {
    mean_wait_ms: (load * serviceMs) / (1 - load),
    p99_wait_ms: (serviceMs * Math.log(Math.max(1, 100 * load))) / (1 - load),
  }
}

function createLimit(resource: string, used: number, limit: number, unit: string): Limit {
  return { resource, used, limit, unit, growth: used === 0 ? Number.POSITIVE_INFINITY : limit / used }
}
