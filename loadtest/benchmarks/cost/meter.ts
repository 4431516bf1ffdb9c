import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { runningPid } from '#local'
import { processorSeconds, residentBytes } from '../../toolkit/processor-time.ts'
import { readSamples } from '../../toolkit/samples.ts'
import { readServerPids } from '../../toolkit/stack/server-pids.ts'
import type { LoadTestStack } from '../../toolkit/stack/start.ts'

/** The consumption until now, by column of the table. Values only increase. */
export type Reading = ReadonlyMap<string, number>

/** Services whose CPU time is reported separately. */
export const reportedServices = [
  'api-gateway',
  'identity',
  'profile',
  'provider-auth',
  'friendship',
  'events',
  'console',
  'all-in-one',
] as const
/** Servers whose CPU time is reported separately: one PostgreSQL, or those of Citus. */
export const reportedServers = ['postgres', 'coordinator', 'worker-1', 'worker-2', 'redis', 'nats'] as const

export interface Meter extends AsyncDisposable {
  readonly read: () => Promise<Reading>
}

/** Reads the metrics of a stack's services and servers, without the simulated login providers. */
export function openMeter(directory: string, { members, wiring, postgres }: LoadTestStack): Meter {
  const redis = new Redis(wiring.redisUrl)
  return {
    async read() {
      const reading = new Map<string, number>()
      const add = (name: string, value: number) => reading.set(name, (reading.get(name) ?? 0) + value)
      for (const member of members()) {
        const { service } = member
        if (service === 'provider-simulator') continue
        add(`cpu ${service}`, processorSeconds(member.pid))
        for (const { name, value } of await readSamples(member)) {
          if (name === 'sociallogin_rpc_client_duration_seconds_count') add('questions', value)
          if (name === 'db_client_operation_duration_seconds_count') add('statements', value)
        }
        for (const log of globSync(join(directory, 'logs', `${service}-[0-9]*.log`)))
          add('log bytes', statSync(log).size)
      }
      for (const { name, pidFile } of postgres.servers) add(`cpu ${name}`, processorSeconds(runningPid(pidFile) ?? 0))
      const pids = readServerPids(directory)
      for (const name of ['redis', 'nats'] as const) add(`cpu ${name}`, processorSeconds(pids[name]))
      for (const [, command = '', calls] of (await redis.info('commandstats')).matchAll(
        /cmdstat_([^:]+):calls=(\d+)/g,
      )) {
        if (!backgroundCommands.has(command)) add('redis commands', Number(calls))
      }
      return reading
    },
    async [Symbol.asyncDispose]() {
      redis.disconnect()
    },
  }
}

/** Current memory of each process in bytes, by service. */
export function readMemory({ members }: Pick<LoadTestStack, 'members'>): ReadonlyMap<string, number> {
  const shown = members().filter(({ service }) => service !== 'provider-simulator')
  return new Map(shown.map(({ service, pid }) => [service, residentBytes(pid)]))
}

/** The meter's own, and those of connections. */
const backgroundCommands = new Set(['info', 'ping', 'hello', 'client|setinfo', 'client|setname', 'select', 'auth'])
