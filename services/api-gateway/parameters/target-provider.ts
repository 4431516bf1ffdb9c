import { z } from 'zod'
import { Fault, type Provider, type ProviderNames, wireNames } from '#contracts'
import type { Parameters } from '#http'
import { isPresent, type Parameter } from './parameter.ts'

/** At least one login provider by wire name, separated by commas. Duplicates count once (our choice). */
export function targetProviders(description: string): Parameter<readonly Provider[]> {
  return {
    fields: (name, names) => {
      const one = wireNames(names).join('|')
      const schema = z.string().regex(new RegExp(`^(${one})(,(${one}))*$`))
      return [{ name, schema, required: true, description }]
    },
    isMissing: isAbsent,
    read(name, given, names) {
      const named = (given.values.get(name) ?? '').split(',')
      return [...new Set(named.map((one) => parseProvider(name, one, names)))]
    },
  }
}

/** One login provider by its wire name. */
export function targetProvider(description: string): Parameter<Provider> {
  return {
    fields: (name, names) => [{ name, schema: z.enum(wireNames(names)), required: true, description }],
    isMissing: isAbsent,
    read: (name, given, names) => parseProvider(name, given.values.get(name) ?? '', names),
  }
}

function isAbsent(name: string, given: Parameters): boolean {
  return !isPresent(name, given)
}

/** @throws Fault `invalid_parameter` if the name is unknown or not in lower case */
function parseProvider(parameter: string, name: string, names: ProviderNames): Provider {
  const provider = names.fromWire(name)
  if (provider === undefined) throw new Fault('invalid_parameter', { detail: { reason: 'unknown_value', parameter } })
  return provider
}
