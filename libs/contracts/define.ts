import { z } from 'zod'
import type { FaultName } from './faults.ts'

/** A procedure that other services can call: the schemas of its input and output, and the faults it may throw. */
export interface Procedure {
  readonly input: z.ZodType
  readonly output: z.ZodType
  readonly faults: readonly FaultName[]
  /**
   * Calling it twice has the effect of calling it once: it reads, or its input names the command. A caller without an answer
   * tries it a second time at another replica.
   */
  readonly repeatable?: true
  /**
   * A caller may tolerate that its data is some seconds old, so that a replica of the database can serve it. It only reads, and its
   * faults do not depend on what is stored.
   */
  readonly mayBeStale?: true
}

/** A message to all subscribers. Delivery is at most once, so a notice only makes subscribers read again. */
export interface Notice {
  readonly payload: z.ZodType
}

export interface Contract<
  P extends Record<string, Procedure> = Record<string, Procedure>,
  N extends Record<string, Notice> = Record<string, Notice>,
> {
  readonly service: string
  readonly procedures: P
  readonly notices: N
}

/** The procedures and notices of a service, as data. The NATS subject of a procedure is `<service>.<procedure>`. */
export function defineContract<
  const P extends Record<string, Procedure>,
  const N extends Record<string, Notice> = Record<never, Notice>,
>(service: string, procedures: P, notices?: N): Contract<P, N> {
  // Without notices N is the empty record.
  return { service, procedures, notices: notices ?? ({} as N) }
}

/** Published by a replica when it becomes ready, so that others repeat immediately what failed while it was not. */
export const availabilityNotice = { available: { payload: z.object({}) } }

export type Input<P extends Procedure> = z.output<P['input']>
export type Output<P extends Procedure> = z.output<P['output']>
export type FaultOf<P extends Procedure> = P['faults'][number]
