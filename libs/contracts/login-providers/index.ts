import { configuredProvider } from './configured.ts'
import type { LoginProviderDescription, ProviderDescription } from './description.ts'
import { device } from './device.ts'
import { messaging, messagingPermissions } from './messaging.ts'
import { microblog } from './microblog.ts'
import { type BuiltInProvider, builtInProviders } from './names.ts'
import { portal } from './portal.ts'
import { search } from './search.ts'
import { searchLegacy } from './search-legacy.ts'
import { shopping } from './shopping.ts'
import { social } from './social.ts'

export {
  type ClaimMapping,
  type ClaimPointer,
  type CodeRule,
  type CountRule,
  type DateRule,
  type FlagRule,
  genderCodes,
  type ListRule,
  listSuppliedItems,
  standardAddress,
  standardBirthday,
  standardEmail,
  type TextRule,
} from './claims.ts'
export { configuredButton, configuredName, configuredOptions, configuredProvider } from './configured.ts'
export {
  type ButtonColors,
  type CredentialSource,
  type Language,
  type LoginProviderDescription,
  languages,
  type ProviderDescription,
  type ProviderOption,
} from './description.ts'
export { logoSvg } from './logo.ts'
export { type BuiltInProvider, builtInProviders } from './names.ts'
export {
  type LoginProtocol,
  type NativeLoginProtocol,
  type OAuth1Protocol,
  type OAuth2Protocol,
  type OidcProtocol,
  type PassedParameters,
  type Permission,
  type Prompt,
  type Prompts,
  supportedPrompts,
  type TokenExchange,
  type TokenRevocation,
  type UserResource,
} from './protocol.ts'
export { messagingPermissions }

const all = {
  messaging,
  portal,
  social,
  search,
  search_legacy: searchLegacy,
  device,
  microblog,
  shopping,
} satisfies Record<BuiltInProvider, ProviderDescription>

/** Providers that end users can log in with. Users can have links to the others from earlier systems. */
const { search_legacy, shopping: _, ...forLogin } = all

export type BuiltInLoginProvider = keyof typeof forLogin

export const providerDescriptions: Readonly<Record<BuiltInProvider, ProviderDescription>> = all
export const loginProviderDescriptions: Readonly<Record<BuiltInLoginProvider, LoginProviderDescription>> = forLogin

// `Object.keys` loses the type of the keys.
export const builtInLoginProviders = Object.keys(forLogin) as readonly BuiltInLoginProvider[]

/** Whether a provider is part of the product; all others are configured by sites. */
export function isBuiltIn(provider: string): provider is BuiltInProvider {
  return Object.hasOwn(all, provider)
}

/** Whether a provider is part of the product and end users can log in with it. */
export function isBuiltInLoginProvider(provider: string): provider is BuiltInLoginProvider {
  return Object.hasOwn(forLogin, provider)
}

/** The description of a provider, as far as it is the same on all sites. */
export function describeProvider(provider: string): ProviderDescription {
  return isBuiltIn(provider) ? all[provider] : { ...configuredProvider, displayName: { en: provider, ja: provider } }
}

/** Compares providers in the order of the specification's table; those that sites configured follow by name. */
export function compareProviders(one: string, other: string): number {
  const rank = (provider: string) => ranks.get(provider) ?? ranks.size
  return rank(one) - rank(other) || (one < other ? -1 : Number(one > other))
}

const ranks = new Map<string, number>(builtInProviders.map((provider, rank) => [provider, rank]))
