import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { LocalFailure } from './failure.ts'
import { lastWords } from './last-words.ts'
import { removePidFile, stopLeftOver, writePidFile } from './pid-file.ts'
import { watch } from './watcher.ts'

export interface ChildDescription {
  /** What people call it, for messages. */
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  /** Files for its output, begun anew, and for its number. */
  readonly log: string
  readonly pidFile: string
  readonly environment: NodeJS.ProcessEnv
  readonly stopSignal: 'SIGINT' | 'SIGTERM'
  readonly stopDeadlineMs: number
  /** How it ends when this process is killed: by the end of an IPC channel, or by a watcher that sends `stopSignal`. */
  readonly lifeLine: 'ipc' | 'watcher'
  readonly workingDirectory?: string
  /** To be run as this user (root only). */
  readonly user?: { readonly uid: number; readonly gid: number }
}

export interface Child {
  readonly pid: number
  readonly log: string
  /** Set when it has gone: "exit code 1" or "SIGKILL". */
  readonly ended: () => string | undefined
  readonly exited: Promise<void>
  readonly stop: () => Promise<void>
}

const running = new Set<number>()

/** Ends every child at once and without manners; for the second Ctrl-C. */
export function killAll(): void {
  for (const pid of running) killGroup(pid)
}

/**
 * Starts a program in a process group of its own, so that a terminal's Ctrl-C reaches only us, after stopping what a
 * killed earlier run left behind under the same pid file. Its output goes to a file, because it may outlive a pipe.
 */
export async function startChild(child: ChildDescription): Promise<Child> {
  const { log, pidFile } = child
  for (const file of [log, pidFile]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await stopLeftOver(pidFile, child.stopSignal, child.stopDeadlineMs)

  const output = openSync(log, 'w', 0o600)
  const options: SpawnOptions = {
    cwd: child.workingDirectory,
    env: child.environment,
    detached: true,
    stdio: ['ignore', output, output, ...(child.lifeLine === 'ipc' ? (['ipc'] as const) : [])],
    ...child.user,
  }
  const spawned = spawn(child.command, child.args, options)
  closeSync(output)
  await once(spawned, 'spawn').catch((cause: unknown) => {
    throw new LocalFailure(`${child.title} could not be started: ${String(cause)}`, { cause })
  })
  const { pid } = spawned
  if (pid === undefined) throw new Error('a spawned process has a number')

  running.add(pid)
  writePidFile(pidFile, pid)
  const release = child.lifeLine === 'watcher' ? watch(pid, child.stopSignal) : () => {}
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

/** The failure of a program that ended or would not get ready. */
export function childFailure(child: Pick<Child, 'log'>, title: string, what: string): LocalFailure {
  const words = lastWords(child.log)
  return new LocalFailure(`${title} ${what}. Its log is ${child.log}${words && `, which ends:\n${words}`}`)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // all of it has gone already
  }
}
