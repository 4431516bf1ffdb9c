import type { LoadResult } from '../generator/protocol.ts'
import type { GeneratorProcess } from '../generator/start.ts'

/** A process whose CPU time counts for an arm. */
export interface CountedProcess {
  /** Processes of the same name are reported together. */
  readonly name: string
  readonly pid: number
}

/** How much load an arm receives in one slice. */
export interface SliceLoad {
  readonly in_flight: number
  /** Requests per second regardless of responses; by default as many as the arm can serve. */
  readonly rate?: number
  readonly lead_ms: number
  readonly duration_ms: number
  /** How long the work that requests leave behind still counts after the last response. */
  readonly settle_ms?: number
}

/** One of the systems that are compared: its processes stay warm, and load moves between the arms. */
export interface Arm {
  readonly name: string
  readonly processes: () => readonly CountedProcess[]
  /** Puts load on the arm. Calls `onCounting` when the lead is over. */
  readonly drive: (load: SliceLoad, onCounting: () => void) => Promise<LoadResult>
}

/** Requests of one customer over a connection before the next one's turn. */
const requestsPerConnection = 2_000

export interface HttpArm extends Pick<Arm, 'name' | 'processes'> {
  readonly addresses: () => readonly string[]
  /** The name of requests that the generator has. */
  readonly workload: string
}

/** An arm that receives its load over HTTP from the generator. */
export function createHttpArm(generator: GeneratorProcess, { name, processes, addresses, workload }: HttpArm): Arm {
  return {
    name,
    processes,
    drive: (load, onCounting) => {
      const whole = { requests_per_connection: requestsPerConnection, ...load, addresses: [...addresses()] }
      return generator.run(workload, whole, onCounting)
    },
  }
}
