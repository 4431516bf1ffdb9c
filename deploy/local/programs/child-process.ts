import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { readLogTail } from './log-tail.ts'
import { signalOnParentExit } from './parent-watcher.ts'
import { removePidFile, stopLeftOver, writePidFile } from './pid-file.ts'
import { SetupError } from './setup-error.ts'

export interface ChildProcessOptions {
  /** Name in messages. */
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  /** File for its output, overwritten at start. */
  readonly log: string
  readonly pidFile: string
  readonly environment: NodeJS.ProcessEnv
  readonly stopSignal: 'SIGINT' | 'SIGTERM'
  readonly stopDeadlineMs: number
  /** How it learns that this process was killed: the IPC channel closes, or a watcher sends `stopSignal`. */
  readonly stopsWithParentBy: 'ipc' | 'watcher'
  readonly workingDirectory?: string
  /** Runs the program as this user (root only). */
  readonly user?: { readonly uid: number; readonly gid: number }
}

export interface ChildProcess {
  readonly pid: number
  readonly log: string
  /** How it ended, such as "exit code 1" or "SIGKILL"; undefined while it runs. */
  readonly ended: () => string | undefined
  readonly exited: Promise<void>
  readonly stop: () => Promise<void>
}

const running = new Set<number>()

/** Kills every child at once, for the second Ctrl-C. */
export function killAll(): void {
  for (const pid of running) killGroup(pid)
}

/**
 * Stops a process that a killed run left under the same PID file, then starts the program in its own process group, so that
 * a terminal's Ctrl-C reaches only this process. The output goes to a file because the program can outlive a pipe.
 */
export async function startChild(child: ChildProcessOptions): Promise<ChildProcess> {
  const { log, pidFile } = child
  for (const file of [log, pidFile]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await stopLeftOver(pidFile, child.stopSignal, child.stopDeadlineMs)

  const output = openSync(log, 'w', 0o600)
  const options: SpawnOptions = {
    cwd: child.workingDirectory,
    env: child.environment,
    detached: true,
    stdio: ['ignore', output, output, ...(child.stopsWithParentBy === 'ipc' ? (['ipc'] as const) : [])],
    ...child.user,
  }
  const spawned = spawn(child.command, child.args, options)
  closeSync(output)
  await once(spawned, 'spawn').catch((cause: unknown) => {
    throw new SetupError(`${child.title} could not be started: ${String(cause)}`, { cause })
  })
  const { pid } = spawned
  if (pid === undefined) throw new Error('a spawned process has an ID')

  running.add(pid)
  writePidFile(pidFile, pid)
  const release = child.stopsWithParentBy === 'watcher' ? signalOnParentExit(pid, child.stopSignal) : () => {}
  const ended = () => spawned.signalCode ?? (spawned.exitCode === null ? undefined : `exit code ${spawned.exitCode}`)
  const exited = ended() === undefined ? once(spawned, 'exit') : Promise.resolve()
  const gone = exited.then(() => {
    running.delete(pid)
    removePidFile(pidFile)
    release()
  })

  return {
    pid,
    log,
    ended,
    exited: gone,
    stop: async () => {
      if (ended() === undefined) spawned.kill(child.stopSignal)
      const deadline = setTimeout(() => killGroup(pid), child.stopDeadlineMs)
      await gone
      clearTimeout(deadline)
    },
  }
}

/** The error of a program that ended or did not become ready. */
export function createChildError(child: Pick<ChildProcess, 'log'>, title: string, what: string): SetupError {
  const tail = readLogTail(child.log)
  return new SetupError(`${title} ${what}. Its log is ${child.log}${tail && `, which ends:\n${tail}`}`)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}
