import { z } from 'zod'
import { Fault, type Provider, type ProviderNames, ProviderWireName, wireNames } from '#contracts'
import type { Parameters } from '#http'
import { isPresent, type Parameter } from './parameter.ts'

const nameList = z.string().regex(/^[a-z][a-z0-9_]{0,30}(,[a-z][a-z0-9_]{0,30})*$/)

/** At least one login provider by wire name, separated by commas. Duplicates count once (our choice). */
export function targetProviders(description: string): Parameter<readonly Provider[]> {
  const read = (name: string, given: Parameters, names: ProviderNames) => {
    const named = (given.values.get(name) ?? '').split(',')
    return [...new Set(named.map((one) => parseProvider(name, one, names)))]
  }
  return {
    fields: (name, names) => [
      { name, schema: nameList, required: true, description: describeNames(description, names) },
    ],
    isMissing: isAbsent,
    read,
    listProviders: read,
  }
}

/** One login provider by its wire name. */
export function targetProvider(description: string): Parameter<Provider> {
  const read = (name: string, given: Parameters, names: ProviderNames) =>
    parseProvider(name, given.values.get(name) ?? '', names)
  return {
    fields: (name, names) => [
      { name, schema: ProviderWireName, required: true, description: describeNames(description, names) },
    ],
    isMissing: isAbsent,
    read,
    listProviders: (name, given, names) => [read(name, given, names)],
  }
}

function describeNames(description: string, names: ProviderNames): string {
  const listed = wireNames(names).map((name) => `\`${name}\``)
  return `${description} One of ${listed.join(', ')}, or the name of a provider that the site configured.`
}

function isAbsent(name: string, given: Parameters): boolean {
  return !isPresent(name, given)
}

/** @throws Fault `invalid_parameter` if no provider can have the name */
function parseProvider(parameter: string, name: string, names: ProviderNames): Provider {
  const provider = names.fromWire(name)
  if (provider === undefined) throw new Fault('invalid_parameter', { detail: { reason: 'unknown_value', parameter } })
  return provider
}
