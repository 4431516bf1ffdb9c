import { existsSync, readFileSync } from 'node:fs'

const statistics = '/proc/stat'

/** CPU time since the machine started, in ticks. */
interface CpuTime {
  readonly total: number
  /** On a virtual machine: time that the host gave to others while this machine had work. */
  readonly stolen: number
}

/** @param text of Linux' `/proc/stat` (proc_stat(5)) */
export function parseCpuTime(text: string): CpuTime {
  const [, ...ticks] = (/^cpu .*/m.exec(text)?.[0] ?? '').split(/ +/).map(Number)
  // user, nice, system, idle, iowait, irq, softirq, steal; the guests' times that follow are part of user and nice.
  const counted = ticks.slice(0, 8)
  return { total: counted.reduce((sum, each) => sum + each, 0), stolen: counted[7] ?? 0 }
}

/** Returns the share of CPU time, 0 to 1, that the host has taken since; 0 if the system does not count it. */
export function watchStolenTime(): () => number {
  const read = () => parseCpuTime(existsSync(statistics) ? readFileSync(statistics, 'utf8') : '')
  const before = read()
  return () => {
    const { total, stolen } = read()
    return total === before.total ? 0 : (stolen - before.stolen) / (total - before.total)
  }
}
