import type { z } from 'zod'
import type { FaultName } from './faults.ts'

/** A question one service can be asked by another: the shapes of question and answer, and the refusals it may give. */
export interface Procedure {
  readonly input: z.ZodType
  readonly output: z.ZodType
  readonly faults: readonly FaultName[]
}

/** A notice a service publishes to whoever listens; at most once, so it only ever says "look again". */
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

/** What a service answers and tells, as data. The subject of a procedure is `<service>.<procedure>`, as the caller writes it. */
export function defineContract<
  const P extends Record<string, Procedure>,
  const N extends Record<string, Notice> = Record<never, Notice>,
>(service: string, procedures: P, notices?: N): Contract<P, N> {
  // Without notices N is the empty record.
  return { service, procedures, notices: notices ?? ({} as N) }
}

export type Input<P extends Procedure> = z.output<P['input']>
export type Output<P extends Procedure> = z.output<P['output']>
export type FaultOf<P extends Procedure> = P['faults'][number]
