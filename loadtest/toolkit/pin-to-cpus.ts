import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/**
 * Pins this process, and those that it starts from now on, to CPUs in the notation of taskset(1), e.g. `0-1`. Does nothing on
 * a machine with one CPU.
 */
export function pinToCpus(list: string): void {
  if (cpus().length < 2) return
  execFileSync('taskset', ['-a', '-c', '-p', list, String(process.pid)], { stdio: 'ignore' })
}
