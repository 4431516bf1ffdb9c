import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 20

/**
 * Writes the ID and the start time of a process; the start time distinguishes it from a later process with the same ID.
 * The flag `wx` makes it throw if the file exists.
 */
export function writePidFile(path: string, pid: number, flag: 'w' | 'wx' = 'w'): void {
  try {
    writeFileSync(path, `${pid}\n${startOf(pid)}\n`, { mode: 0o600, flag })
  } catch (error) {
    if (isRunning(pid)) throw error // otherwise it has ended already
  }
}

export function removePidFile(path: string): void {
  rmSync(path, { force: true })
}

/** The process of the file if it still runs. */
export function runningPid(path: string): number | undefined {
  try {
    const [number, start] = readFileSync(path, 'utf8').split('\n')
    const pid = Number(number)
    return startOf(pid) === start ? pid : undefined
  } catch {
    return undefined // no file, or no such process
  }
}

/** Stops a process that a killed run left: with `signal`, and with SIGKILL at the deadline. */
export async function stopLeftOver(path: string, signal: NodeJS.Signals, deadlineMs: number): Promise<void> {
  const pid = runningPid(path)
  if (pid !== undefined) {
    send(pid, signal)
    for (const until = Date.now() + deadlineMs; Date.now() < until && runningPid(path) === pid; ) await sleep(pollMs)
    if (runningPid(path) === pid) send(pid, 'SIGKILL')
    while (runningPid(path) === pid) await sleep(pollMs)
  }
  removePidFile(path)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}

function isRunning(pid: number): boolean {
  try {
    return startOf(pid) !== ''
  } catch {
    return false
  }
}

/** The start time of a process in the system's format. Throws if there is no such process. */
function startOf(pid: number): string {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } }).trim()
  }
  // proc(5): the fields after the name in parentheses begin with number 3; 22 is the start in ticks since boot.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A process of several threads is a zombie already while the last of them still hold its ports; field 20 counts them.
  if (fields[0] === 'Z' && Number(fields[20 - 3]) <= 1) throw new Error('ended, not yet collected by its parent')
  return `${fields[22 - 3]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
}
