import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/**
 * Pins processes, and those that they start from now on, to CPUs in the notation of taskset(1), e.g. `0-1`. Does nothing on
 * a machine with one CPU.
 */
export function pinToCpus(list: string, pids: readonly number[] = [process.pid]): void {
  if (cpus().length < 2) return
  for (const pid of pids) execFileSync('taskset', ['-a', '-c', '-p', list, String(pid)], { stdio: 'ignore' })
}
