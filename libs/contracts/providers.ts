import { z } from 'zod'
import { allProviders, loginProviders, providerDescriptions } from './login-providers/index.ts'

/** A provider by the specification's token ("Neutral tokens"). Internally, a provider is always named by its token. */
export const Provider = z.enum(allProviders)
export type Provider = z.infer<typeof Provider>

export const LoginProvider = z.enum(loginProviders)
export type LoginProvider = z.infer<typeof LoginProvider>

const pathTokens = allProviders.flatMap((provider) => providerDescriptions[provider].pathToken ?? [])

/** The tokens that can be renamed: those of the providers, and those of the path where they differ. */
const ProviderToken = z.enum([...allProviders, ...pathTokens])

/** Maps provider tokens to wire names and back. */
export interface ProviderNames {
  /** The name used in parameters, object keys and `<name>_id` fields. */
  readonly wire: (provider: Provider) => string
  /** The name used in the path of the authorization endpoint. */
  readonly path: (provider: Provider) => string
  readonly fromWire: (name: string) => Provider | undefined
  readonly fromPath: (name: string) => Provider | undefined
}

/** Our choice: wire names are lower-case slugs, valid in a path, in a field name and in a comma-separated list. */
export const ProviderWireName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/)

/**
 * @param renamed wire names that differ from the token, e.g. `{ messaging: 'abc' }`
 * @throws Error when two providers would share a name
 */
export function providerNames(renamed: Readonly<Record<string, string | undefined>> = {}): ProviderNames {
  const nameOf = (token: string) => renamed[token] ?? token
  const wire = (provider: Provider) => nameOf(provider)
  const path = (provider: Provider) => nameOf(providerDescriptions[provider].pathToken ?? provider)
  const byWire = new Map(allProviders.map((provider) => [wire(provider), provider]))
  const byPath = new Map(allProviders.map((provider) => [path(provider), provider]))
  if (byWire.size < allProviders.length || byPath.size < allProviders.length)
    throw new Error('Two login providers share one name.')
  return { wire, path, fromWire: (name) => byWire.get(name), fromPath: (name) => byPath.get(name) }
}

/** All wire names, in the order of the specification's table. */
export function wireNames(names: ProviderNames): string[] {
  return allProviders.map(names.wire)
}

/** Parses pairs of token and wire name, e.g. `{ messaging: 'abc' }`. Two providers must not share a name. */
export const ProviderNamesSetting = z.partialRecord(ProviderToken, ProviderWireName).transform((renamed, context) => {
  try {
    return providerNames(renamed)
  } catch {
    context.addIssue({ code: 'custom', message: 'two login providers share one name' })
    return z.NEVER
  }
})
