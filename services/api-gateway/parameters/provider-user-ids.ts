import { z } from 'zod'
import { Fault, type Provider, ProviderUserId, wireNames } from '#contracts'
import type { Parameter } from './parameter.ts'
import { readText } from './text.ts'

/** Accounts at login providers; undefined if no entry was sent. */
export type ProviderUserIds = ReadonlyMap<Provider, string> | undefined

/** Any number of `<name>[<provider>]=<provider-side user ID>`. Entries of unknown providers are ignored. */
export function providerUserIds(description: string): Parameter<ProviderUserIds> {
  return {
    fields: (name, names) => {
      const schema = z.partialRecord(z.enum(wireNames(names)), ProviderUserId)
      return [{ name, schema, required: false, description, deep: true }]
    },
    rejectedDetail: (name) => ({ reason: 'linked_to_another_user', parameter: name }),
    isMissing: () => false,
    read(name, given, names) {
      const prefix = `${name}[`
      const entries = [...given.values.keys(), ...given.empty].filter(
        (key) => key.startsWith(prefix) && key.endsWith(']'),
      )
      if (entries.length === 0) return undefined
      const ids = new Map<Provider, string>()
      for (const entry of entries) {
        const provider = names.fromWire(entry.slice(prefix.length, -1))
        if (provider === undefined) continue
        const id = readText(entry, ProviderUserId, given)
        if (id === undefined)
          throw new Fault('invalid_parameter', { detail: { reason: 'wrong_format', parameter: entry } })
        ids.set(provider, id)
      }
      return ids
    },
  }
}
