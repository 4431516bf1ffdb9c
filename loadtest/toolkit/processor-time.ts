import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports the time of ended children in hundredths of a second. */
const ticksPerSecond = 100
const nanosecondsPerSecond = 1e9

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly own: number
  /** CPU time of ended children. */
  readonly ended_children: number
}

/**
 * CPU seconds of a program including its children: Postgres has one per connection. NaN on systems without /proc.
 */
export function processorSeconds(pid: number): number {
  return processorSecondsOf([pid])[0] ?? Number.NaN
}

/** As `processorSeconds`, for several programs at nearly the same moment. */
export function processorSecondsOf(pids: readonly number[]): readonly number[] {
  const stats = readPids()
    .map(readStat)
    .filter((stat) => stat !== undefined)
  return pids.map((pid) => {
    const root = stats.find((stat) => stat.pid === pid)
    if (root === undefined) return Number.NaN
    const children = stats.filter(({ parent }) => parent === pid)
    return [root, ...children].reduce((sum, one) => sum + ownSeconds(one), root.ended_children / ticksPerSecond)
  })
}

/** Resident memory of a process in bytes, without its children: all of it, or pages of files. NaN on systems without /proc. */
export function residentBytes(pid: number, kind: 'VmRSS' | 'RssFile' = 'VmRSS'): number {
  try {
    const line = new RegExp(`^${kind}:\\s*(\\d+) kB$`, 'm')
    const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1_024
  } catch {
    return Number.NaN
  }
}

function readPids(): readonly number[] {
  try {
    return readdirSync('/proc').filter(isNumber).map(Number)
  } catch {
    return [] // there is no /proc
  }
}

/** By the scheduler's counters of the threads in nanoseconds, or in ticks if the kernel has no such counters. */
function ownSeconds({ pid, own }: Stat): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return Number(onCpu)
    })
    return nanoseconds.reduce((sum, one) => sum + one, 0) / nanosecondsPerSecond
  } catch {
    return own / ticksPerSecond // no counters, or a thread has ended
  }
}

/** See proc(5). The text before the last `)` is the program's name, which can contain anything. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (place: number) => Number(fields[place - 3])
    return { pid, parent: at(4), own: at(14) + at(15), ended_children: at(16) + at(17) }
  } catch {
    return undefined // it has ended
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name)
}
