import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Paths } from '../../../deploy/local/paths.ts'
import type { ReplicatedStack } from '../replicas/replicated-stack.ts'
import { type DependencyFault, firstOfEach } from './dependency-faults.ts'
import { jobFaults } from './job-faults.ts'
import { fillDisk, freeDisk } from './small-disk.ts'

const idleConnections = 10_000
/** A gateway closes connections that were idle for longer, after 75 s. */
const idleMs = 70_000
const clockJumpMs = 3_600_000
const stallMs = 15_000
/**
 * How long everything stands still, and how long it runs in between. Shorter than the shortest time limit that fails a request:
 * two seconds, for Redis and for the other services that a change concerns.
 */
const stopsMs = [500, 1_000, 1_500]
const runMs = 2_000

/** Limits of the machines that the product runs on. The stack's PostgreSQL has a small disk of its own. */
export const edgeFaults: readonly DependencyFault[] = [
  {
    name: 'postgres_disk_full',
    extent: 'all',
    begin: ({ paths }) => fillDisk(paths.postgres),
    end: ({ paths }) => freeDisk(paths.postgres),
  },
  {
    // PostgreSQL ends itself when it cannot write its log.
    name: 'postgres_log_disk_full',
    extent: 'all',
    async begin(stack) {
      fillDisk(stack.paths.postgres)
      await fillLog(stack)
    },
    async end({ paths, servers }) {
      freeDisk(paths.postgres)
      await servers.postgres.restart()
    },
  },
  {
    name: 'postgres_connection_limit',
    extent: 'all',
    begin: (stack) => limitConnections(stack, 0),
    end: (stack) => limitConnections(stack, -1),
  },
  createIdleConnections(),
  createClockJump('clock_ahead_for_one', clockJumpMs),
  createClockJump('clock_behind_for_one', -clockJumpMs),
  {
    name: 'event_loops_stalled_for_one',
    extent: 'partial',
    holdsRequests: true,
    begin: (stack) => causeInFirst(stack, { ahead_ms: 0, stall_ms: stallMs }),
    end: () => {},
  },
  {
    // As when a host gives its CPUs to other machines.
    name: 'machine_stopped',
    extent: 'all',
    concerns: 'none',
    async begin(stack) {
      for (const stopMs of stopsMs) {
        stopMachine(stack)
        await sleep(stopMs, undefined, { signal: stack.interruption })
        continueMachine(stack)
        await sleep(runMs, undefined, { signal: stack.interruption })
      }
    },
    end: continueMachine,
  },
  ...jobFaults,
]

/** Variables that let a fault reach the clock and the event loop of each process. */
export function processFaultVariables(paths: Paths): Readonly<Record<string, string>> {
  const program = import.meta.resolve('./process-faults.ts')
  return { PROCESS_FAULT_FILE: processFaultFile(paths), NODE_OPTIONS: `--import=${program}` }
}

function processFaultFile({ directory }: Paths): string {
  return join(directory, 'process-fault.json')
}

/** What `process-faults.ts` reads, in milliseconds. */
interface ProcessFault {
  readonly ahead_ms: number
  readonly stall_ms: number
}

function causeInFirst(stack: ReplicatedStack, fault: ProcessFault): void {
  writeFileSync(processFaultFile(stack.paths), JSON.stringify(fault))
  for (const replica of firstOfEach(stack)) replica.signal('SIGUSR2')
}

function stopMachine({ replicas, servers }: ReplicatedStack): void {
  for (const replica of replicas) replica.signal('SIGSTOP')
  for (const server of Object.values(servers)) server.freeze()
}

function continueMachine({ replicas, servers }: ReplicatedStack): void {
  for (const server of Object.values(servers)) server.thaw()
  for (const replica of replicas) replica.signal('SIGCONT')
}

/** As superuser of the server. */
async function query({ wiring }: ReplicatedStack, text: string): Promise<readonly Record<string, unknown>[]> {
  const superuser = new pg.Client({ connectionString: wiring.postgres_url })
  // The server can end the connection.
  superuser.on('error', () => {})
  await superuser.connect()
  try {
    return (await superuser.query<Record<string, unknown>>(text)).rows
  } finally {
    await superuser.end()
  }
}

/** Uses up the files that the server has for its log. */
async function fillLog(stack: ReplicatedStack): Promise<void> {
  for (;;)
    try {
      await query(stack, `select pg_logical_emit_message(true, 'filler', repeat('x', 1000000))`)
    } catch {
      return
    }
}

/** Ends the connections of all services if the limit is 0. @param most -1 for no limit */
async function limitConnections(stack: ReplicatedStack, most: 0 | -1): Promise<void> {
  const roles = await query(stack, 'select rolname from pg_roles where rolcanlogin and not rolsuper')
  for (const { rolname } of roles) await query(stack, `alter role ${rolname} connection limit ${most}`)
  if (most !== 0) return
  await query(
    stack,
    'select pg_terminate_backend(pid) from pg_stat_activity join pg_roles on rolname = usename where not rolsuper',
  )
}

/** Clients that keep connections to gateways open after a request. No other request may fail. */
function createIdleConnections(): DependencyFault {
  const sockets: Socket[] = []
  let closed = 0
  const openConnection = async (port: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    socket.write('GET /api/users HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'data')
    const idleFrom = performance.now()
    socket.once('close', () => {
      if (performance.now() - idleFrom < idleMs) closed++
    })
  }
  return {
    name: 'idle_connections',
    extent: 'all',
    concerns: 'none',
    async begin({ replicas }) {
      const ports = replicas.filter(({ service }) => service === 'api-gateway').map(({ port }) => port)
      // One at a time to each gateway.
      const perPort = Math.ceil(idleConnections / ports.length)
      await Promise.all(
        ports.map(async (port) => {
          for (let index = 0; index < perPort; index++) await openConnection(port)
        }),
      )
    },
    end() {
      for (const socket of sockets.splice(0)) {
        socket.removeAllListeners('close')
        socket.destroy()
      }
    },
    settle: async () =>
      closed > 0 ? [`${closed} of ${idleConnections} connections were closed soon after their request`] : [],
  }
}

/** The clock of one process of each service jumps, and jumps back. */
function createClockJump(name: string, ms: number): DependencyFault {
  return {
    name,
    // What a process with a wrong clock accepts and issues is wrong as long as its clock is.
    extent: 'all',
    concerns: 'login',
    rejectsLogins: true,
    begin: (stack) => causeInFirst(stack, { ahead_ms: ms, stall_ms: 0 }),
    end: (stack) => causeInFirst(stack, { ahead_ms: 0, stall_ms: 0 }),
  }
}
