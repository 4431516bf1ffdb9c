import type { z } from 'zod'
import { Fault, type FaultReason } from '#contracts'
import type { Parameters } from '#http'
import { isPresent, type Parameter } from './parameter.ts'

/** A required parameter with the schema's format. */
export function required<S extends z.ZodType>(schema: S, description: string): Parameter<z.output<S>> {
  return {
    fields: (name) => [{ name, schema, required: true, description }],
    isMissing: (name, given) => !isPresent(name, given),
    read(name, given) {
      const value = readText(name, schema, given)
      if (value === undefined) throw new Fault('invalid_parameter', { detail: { reason: 'missing', parameter: name } })
      return value
    },
  }
}

/** An optional parameter; undefined if absent. */
export function optional<S extends z.ZodType>(schema: S, description: string): Parameter<z.output<S> | undefined> {
  return {
    fields: (name) => [{ name, schema, required: false, description }],
    isMissing: () => false,
    read: (name, given) => readText(name, schema, given),
  }
}

/** @throws Fault `invalid_parameter` */
export function readText<S extends z.ZodType>(name: string, schema: S, given: Parameters): z.output<S> | undefined {
  const text = given.values.get(name)
  if (text === undefined) return undefined
  const parsed = schema.safeParse(text)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Fault('invalid_parameter', { detail: { reason: reasonOf(issue?.code), parameter: name } })
}

/** The reason for the schema's first issue. */
function reasonOf(code: string | undefined): FaultReason {
  if (code === 'invalid_value') return 'unknown_value'
  return code === 'too_big' || code === 'too_small' ? 'out_of_range' : 'wrong_format'
}
