import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Paths } from '../../../deploy/local/paths.ts'
import type { ReplicatedStack } from '../replicas/replicated-stack.ts'
import type { FaultSite } from '../site.ts'
import { type DependencyFault, firstOfEach } from './dependency-faults.ts'
import { fillDisk, freeDisk } from './small-disk.ts'

const idleConnections = 10_000
const jobs = 100_000
const poisonJobs = 1_000
const clockJumpMs = 3_600_000
const stallMs = 15_000
const settleWithinMs = 900_000
const pollMs = 1_000

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
    // The jobs of deleted users go on while others fail forever.
    name: 'poison_jobs',
    extent: 'all',
    concerns: 'none',
    begin: (stack, site) => enqueueJobs(stack, site, { name: 'poison', count: poisonJobs, linkId: "'no UUID'" }),
    end: () => {},
    settle: removePoisonJobs,
  },
  {
    name: 'job_backlog',
    extent: 'all',
    async begin(stack, site) {
      signalProfiles(stack, 'SIGSTOP')
      await enqueueJobs(stack, site, { name: 'backlog', count: jobs, linkId: 'gen_random_uuid()' })
    },
    end: (stack) => signalProfiles(stack, 'SIGCONT'),
    settle: waitForJobs,
  },
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
  let sockets: readonly Socket[] = []
  let closed = 0
  return {
    name: 'idle_connections',
    extent: 'all',
    concerns: 'none',
    async begin({ replicas }) {
      const ports = replicas.filter(({ service }) => service === 'api-gateway').map(({ port }) => port)
      const opened: Socket[] = []
      for (let index = 0; index < idleConnections; index++) {
        const socket = connect(ports[index % ports.length] ?? 0, '127.0.0.1').on('error', () => {})
        opened.push(socket)
        socket.write('GET /api/users HTTP/1.1\r\nHost: localhost\r\n\r\n')
        await once(socket, 'data')
      }
      sockets = opened
    },
    end() {
      closed = sockets.filter(({ destroyed }) => destroyed).length
      for (const socket of sockets) socket.destroy()
    },
    settle: async () => (closed > 0 ? [`${closed} of ${idleConnections} idle connections were closed`] : []),
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

function signalProfiles({ replicas }: ReplicatedStack, signal: NodeJS.Signals): void {
  for (const replica of replicas.filter(({ service }) => service === 'profile')) replica.signal(signal)
}

interface EnqueuedJobs {
  /** Their keys start with it. */
  readonly name: string
  readonly count: number
  /** SQL for the link that each names. */
  readonly linkId: string
}

/** As if so many users had been deleted. */
async function enqueueJobs(
  { databases }: ReplicatedStack,
  { site }: FaultSite,
  { name, count, linkId }: EnqueuedJobs,
): Promise<void> {
  await databases.identity.raw(
    `insert into jobs (key, task, payload, run_at)
    select ? || ':' || number, 'profile.deleteLinks', jsonb_build_object('input', jsonb_build_object(
      'site', ?::integer, 'identifier', lpad(to_hex(number), 40, '0'), 'link_ids', jsonb_build_array(${linkId}),
      'deleted_at', ?::text, 'profile', 'delete')), now()
    from generate_series(1, ?) as number`,
    [name, site, new Date().toISOString(), count],
  )
}

async function waitForJobs({ databases, interruption }: ReplicatedStack): Promise<readonly string[]> {
  const until = performance.now() + settleWithinMs
  for (;;) {
    const [row] = await databases.identity('jobs').count({ left: '*' })
    const left = Number(row?.left)
    if (left === 0) return []
    if (performance.now() > until) return [`${left} of ${jobs} jobs are left`]
    await sleep(pollMs, undefined, { signal: interruption })
  }
}

/** Jobs that cannot succeed are tried again and again, and never given up. */
async function removePoisonJobs({ databases }: ReplicatedStack): Promise<readonly string[]> {
  const removed: { attempts: number }[] = await databases
    .identity('jobs')
    .whereLike('key', 'poison:%')
    .delete()
    .returning('attempts')
  const untried = removed.filter(({ attempts }) => attempts === 0).length
  return [
    ...(removed.length < poisonJobs ? [`${removed.length} of ${poisonJobs} jobs that failed are stored`] : []),
    ...(untried > 0 ? [`${untried} jobs were never tried`] : []),
  ]
}
