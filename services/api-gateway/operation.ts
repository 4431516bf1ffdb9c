import type { z } from 'zod'
import { Fault, type FaultName, type ProviderNames } from '#contracts'
import type { Parameters } from '#http'
import type { ServiceClients } from './bus.ts'
import type { Caller } from './caller.ts'
import type { Cursors } from './cursors.ts'
import type { EventNotices } from './event-notices.ts'
import type { Field, Shape, ValuesOf } from './parameters/parameter.ts'
import { listOtherProviders, requireConfigured } from './parameters/site-providers.ts'

/** An operation of the Web API as data: parameters, response and errors. */
export interface OperationDescription {
  /** Name of the operation. Its path is `/api/<name>`, unless `resources` is set. */
  readonly name: string
  /** Paths below `/api/`; the first one is canonical. */
  readonly resources?: (names: ProviderNames) => readonly [string, ...string[]]
  readonly title: string
  /** Where the reference lists it. */
  readonly group: OperationGroup
  readonly summary: string
  /** Whether it writes, or the name of the flag with which it does. */
  readonly writes: boolean | string
  /** The response may lack changes of the last seconds if the site allows it (`users_may_be_stale`). */
  readonly mayBeStale?: true
  readonly parameters: Shape
  /** Its own errors and their conditions, in the order of the checks. `faultsOf` adds the common ones. */
  readonly faults: Faults
  /** The fields of its response, without `status`. */
  readonly response: (names: ProviderNames) => z.ZodRawShape
  /** The schema of further fields of its response, which are named after what a site configured. */
  readonly furtherFields?: z.ZodType
  /** A request, without the key, and its response, for the documentation. */
  readonly example: (names: ProviderNames) => Example
}

/** The groups of the reference, in its order. */
export const operationGroups = {
  users: 'Users',
  accounts: 'Linked accounts',
  profiles: 'Profiles',
  site: 'The service',
} as const
export type OperationGroup = keyof typeof operationGroups

export type Faults = Readonly<Partial<Record<FaultName, string>>>

export interface Example<A extends object = object> {
  readonly query: Readonly<Record<string, string>>
  readonly response: A
}

export interface Operation extends OperationDescription {
  /** Parses a request's parameters before any service is called. Throws `Fault`: code 5 before 6. */
  readonly prepare: (given: Parameters, names: ProviderNames) => PreparedOperation
  /** Names in a request that are not parameters of the operation. */
  readonly unknownParameters: (given: Parameters, names: ProviderNames) => readonly string[]
}

/**
 * Runs a parsed request. Throws only faults that the operation declares; any other fault or error is a defect.
 */
export type PreparedOperation = (deps: OperationDeps, caller: Caller) => Promise<object>

/** A response that is sent in parts, as they come. */
export class StreamedResponse {
  readonly contentType: string
  readonly parts: AsyncIterable<string>
  constructor(contentType: string, parts: AsyncIterable<string>) {
    this.contentType = contentType
    this.parts = parts
  }
}

/** The dependencies of operations. */
export interface OperationDeps extends Omit<ServiceClients, 'console'> {
  readonly names: ProviderNames
  readonly cursors: Cursors
  readonly eventNotices: EventNotices
  /** The public base URL, without `/api`. */
  readonly webApiUrl: string
}

type ResponseOf<A extends z.ZodRawShape> = z.input<z.ZodObject<A>>

interface OperationDefinition<S extends Shape, A extends z.ZodRawShape> extends OperationDescription {
  readonly writes: boolean | (keyof S & string)
  readonly parameters: S
  readonly response: (names: ProviderNames) => A
  readonly example: (names: ProviderNames) => Example<NoInfer<ResponseOf<A>>>
  readonly run: (
    input: ValuesOf<S>,
    deps: OperationDeps,
    caller: Caller,
  ) => Promise<NoInfer<ResponseOf<A>> | StreamedResponse>
}

export function defineOperation<S extends Shape, A extends z.ZodRawShape>(
  definition: OperationDefinition<S, A>,
): Operation {
  const { run, ...description } = definition
  const declared = new Set(faultsOf(description))
  // A process has one set of names.
  let known: { readonly names: ProviderNames; readonly fields: readonly Field[] } | undefined
  const fieldsOf = (names: ProviderNames) => {
    if (known?.names !== names) {
      const fields = Object.entries(definition.parameters).flatMap(([name, parameter]) => parameter.fields(name, names))
      known = { names, fields }
    }
    return known.fields
  }
  return {
    ...description,
    unknownParameters(given, names) {
      const fields = fieldsOf(names)
      const isKnown = (sent: string) =>
        sent === 'key' || fields.some(({ name, deep }) => (deep ? sent.startsWith(`${name}[`) : sent === name))
      return [...given.values.keys(), ...given.repeated].filter((sent) => !isKnown(sent))
    },
    prepare(given, names) {
      requirePresent(definition.parameters, given)
      requireForm(fieldsOf(names), given)
      const input = readInput(definition.parameters, given, names)
      const others = listOtherProviders(definition.parameters, given, names)
      return async (deps, caller) => {
        try {
          if (others.length > 0)
            await requireConfigured(others, async () => {
              const { providers } = await deps.providerAuth.listConfiguredProviders(
                { site: caller.site.site },
                caller.call,
              )
              return providers
            })
          return await run(input, deps, caller)
        } catch (error) {
          if (error instanceof Fault && declared.has(error.fault)) throw addDetail(error, definition.parameters)
          if (!(error instanceof Fault)) throw error
          throw new Error(`${definition.name} threw ${error.fault}, which it does not declare.`, { cause: error })
        }
      }
    },
  }
}

/** The operation's paths below `/api/`. */
export function resourcesOf(
  { name, resources }: OperationDescription,
  names: ProviderNames,
): readonly [string, ...string[]] {
  return resources?.(names) ?? [name]
}

const noParameters: Parameters = { values: new Map(), empty: new Set(), repeated: new Set() }

/** All errors that an operation can return, in the order of the checks. */
export function faultsOf({
  writes,
  parameters,
  faults,
}: Pick<OperationDescription, 'writes' | 'parameters' | 'faults'>): readonly FaultName[] {
  const requires = Object.entries(parameters).some(([name, parameter]) => parameter.isMissing(name, noParameters))
  // `Object.keys` loses the type of the keys.
  const own = Object.keys(faults) as FaultName[]
  const named = new Set<FaultName>([
    'invalid_api_key',
    'address_not_allowed',
    'option_contract_needed',
    'too_many_requests',
    ...(writes ? (['server_call_only'] as const) : []),
    'body_not_a_form',
    ...(requires ? (['required_parameter_missing'] as const) : []),
    'invalid_parameter',
    ...own,
    'operation_failed',
    'unavailable',
  ])
  return [...named]
}

/** Adds the parameter's name in the Web API to a service's fault. */
function addDetail(fault: Fault, shape: Shape): Fault {
  if (fault.fault !== 'invalid_parameter' || fault.detail) return fault
  const [detail] = Object.entries(shape).flatMap(([name, { rejectedDetail }]) => rejectedDetail?.(name) ?? [])
  return detail ? new Fault(fault.fault, { cause: fault, detail }) : fault
}

/** @throws Fault `required_parameter_missing`, and `invalid_parameter` for a repeated parameter */
function requirePresent(shape: Shape, given: Parameters): void {
  for (const [name, parameter] of Object.entries(shape))
    if (parameter.isMissing(name, given))
      throw new Fault('required_parameter_missing', {
        detail: parameter.missingDetail ?? { reason: 'missing', parameter: name },
      })
  const [repeated] = given.repeated
  if (repeated !== undefined)
    throw new Fault('invalid_parameter', { detail: { reason: 'repeated', parameter: repeated } })
}

/**
 * Rejects a known parameter in another form, such as `name[]=…`, or an object as JSON: ignoring it would lose its value.
 *
 * @throws Fault `invalid_parameter`
 */
function requireForm(fields: readonly Field[], { values, empty }: Parameters): void {
  for (const sent of [...values.keys(), ...[...empty].filter((name) => name.includes('['))]) {
    const [base = ''] = sent.split('[')
    const field = fields.find(({ name }) => name === base)
    if (field === undefined) continue
    const hasForm = field.deep ? /^[^[\]]+\[[^[\]]+\]$/.test(sent) : sent === base
    if (!hasForm) throw new Fault('invalid_parameter', { detail: { reason: 'wrong_format', parameter: base } })
  }
}

/** @throws Fault `invalid_parameter` */
function readInput<S extends Shape>(shape: S, given: Parameters, names: ProviderNames): ValuesOf<S> {
  // Each name has the value that its own parameter parses.
  return Object.fromEntries(
    Object.entries(shape).map(([name, parameter]) => [name, parameter.read(name, given, names)]),
  ) as ValuesOf<S>
}
