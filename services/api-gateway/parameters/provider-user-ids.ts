import { z } from 'zod'
import { Fault, isBuiltIn, type Provider, ProviderUserId, ProviderWireName } from '#contracts'
import type { Parameter } from './parameter.ts'
import { readText } from './text.ts'

/** Accounts at login providers; undefined if no entry was sent. */
export type ProviderUserIds = ReadonlyMap<Provider, string> | undefined

/** Any number of `<name>[<provider>]=<provider-side user ID>`. Entries of unknown providers are ignored. */
export function providerUserIds(description: string): Parameter<ProviderUserIds> {
  return {
    fields: (name) => {
      const schema = z.record(ProviderWireName, ProviderUserId)
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
        // Whether the site has configured a provider is known later; entries of other names are ignored.
        const id = isBuiltIn(provider) ? readText(entry, ProviderUserId, given) : (given.values.get(entry) ?? '')
        if (id === undefined)
          throw new Fault('invalid_parameter', { detail: { reason: 'wrong_format', parameter: entry } })
        ids.set(provider, id)
      }
      return ids
    },
  }
}
