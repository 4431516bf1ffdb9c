import type { z } from 'zod'
import { Fault } from '#contracts'
import type { Parameters } from '#http'
import { isGiven, type Parameter } from './parameter.ts'

/** A parameter that must be given, in the schema's shape. */
export function required<S extends z.ZodType>(schema: S, description: string): Parameter<z.output<S>> {
  return {
    fields: (name) => [{ name, schema, required: true, description }],
    isMissing: (name, given) => !isGiven(name, given),
    read(name, given) {
      const value = readText(name, schema, given)
      if (value === undefined) throw new Fault('invalid_parameter')
      return value
    },
  }
}

/** A parameter that may be left out; then undefined. */
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
  if (!parsed.success) throw new Fault('invalid_parameter')
  return parsed.data
}
