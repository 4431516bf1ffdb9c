import { z } from 'zod'
import type { Parameters } from '#http'
import type { Parameter } from './parameter.ts'

/** Specification, Shared conventions: these mean true; any other string, or no value, means false. */
const trueValues = new Set(['true', 'yes', 'y', 'enabled'])

export function flag(description: string): Parameter<boolean> {
  return {
    fields: (name) => [{ name, schema: z.string(), required: false, description }],
    isMissing: () => false,
    read: isFlagSet,
  }
}

export function isFlagSet(name: string, given: Parameters): boolean {
  return trueValues.has(given.values.get(name) ?? '')
}
