import type { z } from 'zod'
import type { FaultDetail, Provider, ProviderNames } from '#contracts'
import type { Parameters } from '#http'

/** One input of an operation: the fields that a caller sends, and how they are parsed. `name` is the name of the input. */
export interface Parameter<T> {
  readonly fields: (name: string, names: ProviderNames) => readonly Field[]
  /** Whether it is required and absent: code 5. */
  readonly isMissing: (name: string, given: Parameters) => boolean
  /** Detail of the error if it is missing. Default: reason `missing` with the parameter's own name. */
  readonly missingDetail?: FaultDetail
  /** Detail of the error if a service rejects a value of the correct format. */
  readonly rejectedDetail?: (name: string) => FaultDetail
  /** @throws Fault `invalid_parameter` */
  readonly read: (name: string, given: Parameters, names: ProviderNames) => T
  /** The providers in the value. Those that are not built in must be configured by the site. */
  readonly listProviders?: (name: string, given: Parameters, names: ProviderNames) => readonly Provider[]
}

/** A field of a query or form, for the API description. */
export interface Field {
  readonly name: string
  readonly schema: z.ZodType
  readonly required: boolean
  readonly description: string
  /** The value is an object: sent as `<name>[<field>]=…`. */
  readonly deep?: true
}

export type Shape = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Parameter<infer T> ? T : never
}

/** A repeated parameter is invalid, not missing. */
export function isPresent(name: string, given: Parameters): boolean {
  return given.values.has(name) || given.repeated.has(name)
}
