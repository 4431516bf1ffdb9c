import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const same_start_tolerance_ms = 10_000

export function writePidFile(path: string, pid: number): void {
  writeFileSync(path, `${pid}\n`)
}

export function removePidFile(path: string): void {
  rmSync(path, { force: true })
}

/** The process that the file names if it still runs. A stranger that was given the same number later is told by when it started. */
export function runningPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
    const written_ms = statSync(path).mtimeMs
    return Math.abs(startedAtMs(pid) - written_ms) < same_start_tolerance_ms ? pid : undefined
  } catch {
    return undefined // no file, or no such process
  }
}

/** Stops what a killed earlier run left behind: `signal`, and SIGKILL when the deadline passes. */
export async function stopLeftOver(path: string, signal: NodeJS.Signals, deadline_ms: number): Promise<void> {
  const pid = runningPid(path)
  if (pid !== undefined) {
    send(pid, signal)
    for (const until = Date.now() + deadline_ms; Date.now() < until && runningPid(path) === pid; ) await sleep(20)
    if (runningPid(path) === pid) send(pid, 'SIGKILL')
    while (runningPid(path) === pid) await sleep(20)
  }
  removePidFile(path)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has gone in the meantime
  }
}

function startedAtMs(pid: number): number {
  if (process.platform !== 'linux') {
    return Date.parse(
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } }),
    )
  }
  // proc(5): the fields after the name in parentheses begin with number 3; 22 is the start in hundredths of a second since boot.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') throw new Error('ended, not yet collected by its parent')
  const boot_seconds = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]
  return Number(boot_seconds) * 1000 + Number(fields[22 - 3]) * 10
}
