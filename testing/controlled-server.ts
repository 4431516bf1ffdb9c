import { execFileSync } from 'node:child_process'
import type { RunningServer } from '#local'
import { runningPid } from '../deploy/local/programs/pid-file.ts'

/** A server as a process that a test ends, stops and starts. */
export interface ControlledServer extends AsyncDisposable {
  /** Ends it and its children without warning; resolves when they are gone. */
  readonly kill: () => Promise<void>
  /** Starts it again at the same address after `kill`. */
  readonly start: () => Promise<void>
  /** Starts it at the same address, whether it ended by itself or not. */
  readonly restart: () => Promise<void>
  /** Stops it and its children with SIGSTOP: connections stay open and silent. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Continues it, or starts it, if it was stopped or ended. */
  readonly repair: () => Promise<void>
}

interface Options {
  /** Of the server that runs. */
  readonly url: string
  readonly pidFile: string
  readonly start: (port: number) => Promise<RunningServer>
}

export function controlServer({ url, pidFile, start }: Options): ControlledServer {
  let restarted: RunningServer | undefined
  let frozen: readonly number[] = []
  const tree = () => {
    const pid = runningPid(pidFile)
    if (pid === undefined) throw new Error(`The server of ${pidFile} does not run.`)
    return listTree(pid)
  }
  const thaw = () => {
    send(frozen, 'SIGCONT')
    frozen = []
  }
  const kill = async () => {
    const pids = tree()
    send(pids, 'SIGKILL')
    while (listProcesses().some(({ pid }) => pids.includes(pid)));
    await restarted?.exited
  }
  const startAgain = async () => {
    restarted = await start(Number(new URL(url).port))
  }
  return {
    kill,
    start: startAgain,
    async restart() {
      if (runningPid(pidFile) !== undefined) await kill()
      await startAgain()
    },
    freeze() {
      frozen = tree()
      send(frozen, 'SIGSTOP')
    },
    thaw,
    async repair() {
      thaw()
      if (runningPid(pidFile) === undefined) await startAgain()
    },
    async [Symbol.asyncDispose]() {
      thaw()
      await restarted?.stop()
    },
  }
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended in the meantime.
    }
}

/** The process and its children: those of PostgreSQL have process groups of their own. */
function listTree(root: number): number[] {
  const processes = listProcesses()
  const childrenOf = (parent: number): number[] =>
    processes.filter(({ ppid }) => ppid === parent).flatMap(({ pid }) => [pid, ...childrenOf(pid)])
  return [root, ...childrenOf(root)]
}

function listProcesses(): { pid: number; ppid: number }[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([pid, ppid]) => ({ pid: Number(pid), ppid: Number(ppid) }))
}
