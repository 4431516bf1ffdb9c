import type { z } from 'zod'
import type { FaultDetail, ProviderNames } from '#contracts'
import type { Parameters } from '#http'

/** One input of an operation: what a caller sends for it, and how that is read. `name` is the input's own name. */
export interface Parameter<T> {
  readonly fields: (name: string, names: ProviderNames) => readonly Field[]
  /** Whether it is required and was not given: code 5. */
  readonly isMissing: (name: string, given: Parameters) => boolean
  /** Detail of the error if it is missing; the default is reason `missing` with the parameter's own name. */
  readonly missingDetail?: FaultDetail
  /** Detail of the error if a service refuses the value, though its format is correct. */
  readonly rejectedDetail?: (name: string) => FaultDetail
  /** @throws Fault `invalid_parameter`: what was given is wrong */
  readonly read: (name: string, given: Parameters, names: ProviderNames) => T
}

/** A parameter as it stands in a query or form, for the description of the API. */
export interface Field {
  readonly name: string
  readonly schema: z.ZodType
  readonly required: boolean
  readonly description: string
  /** Its value has fields of its own: it is sent as `<name>[<field>]=…`. */
  readonly deep?: true
}

export type Shape = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Parameter<infer T> ? T : never
}

/** A repeated parameter is wrong, not missing. */
export function isPresent(name: string, given: Parameters): boolean {
  return given.values.has(name) || given.repeated.has(name)
}
