import { residentBytes } from '../../cost/processor-time.ts'

/** The resident memory of a process by use, in bytes. NaN where it cannot be read. */
export interface ProcessMemory {
  readonly resident: number
  /** Pages of files, such as the program of Node.js, which all its processes share. */
  readonly files: number
  /** What V8 has reserved for objects. */
  readonly heap: number
  /** The part of the heap for new objects. */
  readonly young: number
}

/** @param operations base address of the service's operations port, which exports the metrics of V8 */
export async function readServiceMemory(pid: number, operations: string): Promise<ProcessMemory> {
  const resident = readMemoryOfProgram(pid)
  const metrics = await (await fetch(`${operations}/metrics`)).text()
  return {
    ...resident,
    heap: readMetric(metrics, /^nodejs_heap_size_total_bytes\S* (\S+)$/m),
    young: readMetric(metrics, /^nodejs_heap_space_size_total_bytes\{[^}]*space="new"[^}]*\} (\S+)$/m),
  }
}

/** The memory of any program, without that of V8. */
export function readMemoryOfProgram(pid: number): ProcessMemory {
  return {
    resident: residentBytes(pid),
    files: residentBytes(pid, 'RssFile'),
    heap: Number.NaN,
    young: Number.NaN,
  }
}

function readMetric(metrics: string, line: RegExp): number {
  return Number(line.exec(metrics)?.[1] ?? Number.NaN)
}
