import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningPid } from '#local'

const servers = ['postgres', 'redis', 'nats'] as const

/** A server that the services share. */
export type ServerName = (typeof servers)[number]

/** Process IDs of the servers of a stack in this directory; 0 for one that is not running. */
export function readServerPids(directory: string): Readonly<Record<ServerName, number>> {
  const pidOf = (server: ServerName) => runningPid(join(directory, server, `${server}.pid`)) ?? 0
  return { postgres: pidOf('postgres'), redis: pidOf('redis'), nats: pidOf('nats') }
}

/** Process IDs of what a process has started, for example of each connection to Postgres. */
export function readChildPids(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
