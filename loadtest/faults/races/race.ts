import type { FaultSite } from '../site.ts'
import type { Databases } from '../stack.ts'

/** Requests that are sent at once, only some of which may take effect. */
export interface Race {
  readonly name: string
  /** @param tag unique text, for every name of the race */
  readonly prepare: (context: RaceContext, tag: string) => Promise<PreparedRace>
}

export interface RaceContext {
  readonly site: FaultSite
  readonly databases: Databases
}

export interface PreparedRace {
  /** What happened, in a word, such as the status of the answer. */
  readonly send: (index: number) => Promise<string>
  /** How many times each happens. */
  readonly expected: Readonly<Record<string, number>>
  /** What is stored afterwards, which must equal `stored`. */
  readonly readStored?: () => Promise<unknown>
  readonly stored?: unknown
}

/** Requests of a race. */
export const racers = 50
