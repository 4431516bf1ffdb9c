import { z } from 'zod'
import {
  type BuiltInProvider,
  builtInProviders,
  configuredName,
  describeProvider,
  isBuiltIn,
  isBuiltInLoginProvider,
} from './login-providers/index.ts'

/** Our choice: wire names are lower-case slugs, valid in a path, in a field name and in a comma-separated list. */
export const ProviderWireName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/)

/**
 * A provider: by the specification's token ("Neutral tokens"), by which it is always named internally, or by the name that
 * a site gave to a provider that it configured.
 */
export const Provider = ProviderWireName
export type Provider = z.infer<typeof Provider>

/** A provider that end users can log in with. */
export const LoginProvider = Provider.refine(
  (name) => !isBuiltIn(name) || isBuiltInLoginProvider(name),
  'cannot be used for logins',
)
export type LoginProvider = z.infer<typeof LoginProvider>

const pathTokens = builtInProviders.flatMap((provider) => describeProvider(provider).pathToken ?? [])

/** The tokens that can be renamed: those of the providers, and those of the path where they differ. */
const ProviderToken = z.enum([...builtInProviders, ...pathTokens])

/** Maps provider tokens to wire names and back. */
export interface ProviderNames {
  /** The name used in parameters, object keys and `<name>_id` fields. */
  readonly wire: (provider: Provider) => string
  /** The name used in the path of the authorization endpoint. */
  readonly path: (provider: Provider) => string
  /** Undefined if the name can be neither that of a built-in provider nor that of one that a site configured. */
  readonly fromWire: (name: string) => Provider | undefined
  readonly fromPath: (name: string) => Provider | undefined
  /** Whether a site can give the name to a provider that it configures. */
  readonly isFree: (name: string) => boolean
}

/**
 * @param renamed wire names that differ from the token, e.g. `{ messaging: 'abc' }`
 * @throws Error when two providers would share a name
 */
export function providerNames(renamed: Readonly<Record<string, string | undefined>> = {}): ProviderNames {
  const nameOf = (token: string) => renamed[token] ?? token
  const wire = (provider: Provider) => (isBuiltIn(provider) ? nameOf(provider) : provider)
  const path = (provider: Provider) => nameOf(describeProvider(provider).pathToken ?? wire(provider))
  const byWire = new Map<string, BuiltInProvider>(builtInProviders.map((provider) => [wire(provider), provider]))
  const byPath = new Map<string, BuiltInProvider>(builtInProviders.map((provider) => [path(provider), provider]))
  if (byWire.size < builtInProviders.length || byPath.size < builtInProviders.length)
    throw new Error('Two login providers share one name.')
  const isFree = (name: string) =>
    Provider.safeParse(name).success &&
    name !== configuredName &&
    !ProviderToken.safeParse(name).success &&
    !byWire.has(name) &&
    !byPath.has(name)
  const findIn = (names: ReadonlyMap<string, BuiltInProvider>) => (name: string) =>
    names.get(name) ?? (isFree(name) ? name : undefined)
  return { wire, path, fromWire: findIn(byWire), fromPath: findIn(byPath), isFree }
}

/** The wire names of the built-in providers, in the order of the specification's table. */
export function wireNames(names: ProviderNames): string[] {
  return builtInProviders.map(names.wire)
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
