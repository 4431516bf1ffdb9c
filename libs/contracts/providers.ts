import { z } from 'zod'

/** Login providers by the specification's tokens ("Neutral tokens"). Inside the product a provider is always its token. */
export const providers = [
  'messaging',
  'portal',
  'social',
  'search',
  'search_legacy',
  'device',
  'microblog',
  'shopping',
] as const

export const Provider = z.enum(providers)
export type Provider = z.infer<typeof Provider>

/** Login providers that can be configured and logged in with; the others are links kept from earlier times. */
export const loginProviders = [
  'messaging',
  'portal',
  'social',
  'search',
  'device',
  'microblog',
] as const satisfies readonly Provider[]

/** The specification's ninth token: the microblog provider as written in the authorization endpoint's path. */
const microblog_path = 'microblog_x'

/** What can be renamed: each of the nine tokens on its own. */
const ProviderToken = z.enum([...providers, microblog_path])
type ProviderToken = z.infer<typeof ProviderToken>

/** The names providers have on the wire, both ways. */
export interface ProviderNames {
  /** The name used in parameters, object keys and `<name>_id` fields. */
  readonly wire: (provider: Provider) => string
  /** The name used in the path of the authorization endpoint. */
  readonly path: (provider: Provider) => string
  readonly fromWire: (name: string) => Provider | undefined
  readonly fromPath: (name: string) => Provider | undefined
}

/** Our choice: wire names are lower-case slugs, so that they fit a path, a field name and a list separated by commas. */
export const ProviderWireName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/)

/**
 * @param renamed wire names that differ from the token, e.g. `{ messaging: 'abc' }`
 * @throws Error when two providers would share a name
 */
export function providerNames(renamed: Partial<Record<ProviderToken, string>> = {}): ProviderNames {
  const wireOf = new Map(providers.map((provider) => [provider, renamed[provider] ?? provider]))
  const wire = (provider: Provider) => wireOf.get(provider) ?? provider
  const microblog_in_path = renamed[microblog_path] ?? microblog_path
  const path = (provider: Provider) => (provider === 'microblog' ? microblog_in_path : wire(provider))
  const byWire = new Map(providers.map((provider) => [wire(provider), provider]))
  const byPath = new Map(providers.map((provider) => [path(provider), provider]))
  if (byWire.size < providers.length || byPath.size < providers.length)
    throw new Error('Two login providers share one name.')
  return { wire, path, fromWire: (name) => byWire.get(name), fromPath: (name) => byPath.get(name) }
}

/** Every provider's wire name, in the order of the specification's table. */
export function wireNames(names: ProviderNames): string[] {
  return providers.map(names.wire)
}

/** A setting's pairs of token and wire name, e.g. `{ messaging: 'abc' }`, as names; two providers may not share one. */
export const ProviderNamesSetting = z.partialRecord(ProviderToken, ProviderWireName).transform((renamed, context) => {
  try {
    return providerNames(renamed)
  } catch {
    context.addIssue({ code: 'custom', message: 'two login providers share one name' })
    return z.NEVER
  }
})
