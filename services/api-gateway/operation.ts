import type { z } from 'zod'
import type { Call, Client } from '#bus'
import {
  Fault,
  type FaultName,
  type friendship,
  type identity,
  type ProviderNames,
  type profile,
  type providerAuth,
} from '#contracts'
import type { Parameters } from '#http'
import type { Cursors } from './cursors.ts'
import type { Shape, ValuesOf } from './parameters/parameter.ts'
import type { Site } from './site-table.ts'

/** One call of the Web API as data: what it takes, answers and refuses. */
export interface Description {
  /** Also its resource: it is called at `/api/<name>`. */
  readonly name: string
  readonly summary: string
  /** Whether it changes anything, or the name of the flag with which it does. */
  readonly writes: boolean | string
  readonly parameters: Shape
  /** Refusals of its own, beside those that follow from the rest (`faultsOf`). */
  readonly faults: readonly FaultName[]
  /** The fields of its answer beside `status`. */
  readonly answer: z.ZodRawShape
}

export interface Operation extends Description {
  /**
   * Answers one request. Throws `Fault`: 5 before 6, both before any service is asked, then its own. Anything else that is
   * thrown is a defect, and so is a fault it does not declare.
   */
  readonly respond: (given: Parameters, deps: OperationDeps, caller: Caller) => Promise<object>
}

/** What operations answer from. */
export interface OperationDeps {
  readonly identity: Client<typeof identity>
  readonly profile: Client<typeof profile>
  readonly providerAuth: Client<typeof providerAuth>
  readonly friendship: Client<typeof friendship>
  readonly names: ProviderNames
  readonly cursors: Cursors
  /** The public base address, without `/api`. */
  readonly web_api_url: string
}

/** Who asks. */
export interface Caller {
  readonly site: Site
  readonly call: Call
  /** The API key when it stands in the address, for addresses that are handed back. */
  readonly key_in_query: string | undefined
}

interface Definition<S extends Shape, A extends z.ZodRawShape> extends Description {
  readonly writes: boolean | (keyof S & string)
  readonly parameters: S
  readonly answer: A
  readonly run: (input: ValuesOf<S>, deps: OperationDeps, caller: Caller) => Promise<z.input<z.ZodObject<A>>>
}

export function operation<S extends Shape, A extends z.ZodRawShape>(definition: Definition<S, A>): Operation {
  const { run, ...description } = definition
  const declared = new Set(faultsOf(description))
  return {
    ...description,
    async respond(given, deps, caller) {
      const input = readInput(definition.parameters, given, deps.names)
      try {
        return await run(input, deps, caller)
      } catch (error) {
        if (!(error instanceof Fault) || declared.has(error.fault)) throw error
        throw new Error(`${definition.name} gave ${error.fault}, which it does not declare.`, { cause: error })
      }
    },
  }
}

const nothing_given: Parameters = { values: new Map(), repeated: new Set() }

/** Every refusal an operation can answer with, in the order of the checks. */
export function faultsOf({ writes, parameters, faults }: Description): readonly FaultName[] {
  const requires = Object.entries(parameters).some(([name, parameter]) => parameter.isMissing(name, nothing_given))
  const named = new Set<FaultName>([
    'invalid_api_key',
    'address_not_allowed',
    'option_contract_needed',
    'too_many_requests',
    ...(writes ? (['server_call_only'] as const) : []),
    ...(requires ? (['required_parameter_missing'] as const) : []),
    'invalid_parameter',
    ...faults,
    'operation_failed',
    'unavailable',
  ])
  return [...named]
}

/** @throws Fault `required_parameter_missing` before `invalid_parameter`, whichever parameter they are about */
function readInput<S extends Shape>(shape: S, given: Parameters, names: ProviderNames): ValuesOf<S> {
  const parameters = Object.entries(shape)
  if (parameters.some(([name, parameter]) => parameter.isMissing(name, given)))
    throw new Fault('required_parameter_missing')
  if (given.repeated.size > 0) throw new Fault('invalid_parameter')
  // The same names, each with what its own parameter reads.
  return Object.fromEntries(
    parameters.map(([name, parameter]) => [name, parameter.read(name, given, names)]),
  ) as ValuesOf<S>
}
