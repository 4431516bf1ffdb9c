import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports a process's CPU time in hundredths of a second. */
const ticksPerSecond = 100

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
  const root = readStat(pid)
  if (root === undefined) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat?.parent === pid)
  const ticks = children.reduce((sum, child) => sum + (child?.own ?? 0), root.own + root.ended_children)
  return ticks / ticksPerSecond
}

/** See proc(5). The text before the last `)` is the program's name, which can contain anything. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (place: number) => Number(fields[place - 3])
    return { pid, parent: at(4), own: at(14) + at(15), ended_children: at(16) + at(17) }
  } catch {
    return undefined // it has ended, or there is no /proc
  }
}
