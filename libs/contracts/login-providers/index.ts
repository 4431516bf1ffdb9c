import type { LoginProviderDescription, ProviderDescription } from './description.ts'
import { device } from './device.ts'
import { messaging, messagingPermissions } from './messaging.ts'
import { microblog } from './microblog.ts'
import { portal } from './portal.ts'
import { search } from './search.ts'
import { searchLegacy } from './search-legacy.ts'
import { shopping } from './shopping.ts'
import { social } from './social.ts'

export type {
  ClaimMapping,
  ClaimPointer,
  CodeRule,
  CountRule,
  DateRule,
  FlagRule,
  ListRule,
  TextRule,
} from './claims.ts'
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

/** Every provider, in the order of the specification's table ("Neutral tokens"). */
const all = { messaging, portal, social, search, search_legacy: searchLegacy, device, microblog, shopping }

/** Providers that end users can log in with. Users can have links to the others from earlier systems. */
const { search_legacy, shopping: _, ...forLogin } = all

export type Provider = keyof typeof all
export type LoginProvider = keyof typeof forLogin

export const providerDescriptions: Readonly<Record<Provider, ProviderDescription>> = all
export const loginProviderDescriptions: Readonly<Record<LoginProvider, LoginProviderDescription>> = forLogin

// `Object.keys` loses the type of the keys.
export const allProviders = Object.keys(all) as readonly Provider[]
export const loginProviders = Object.keys(forLogin) as readonly LoginProvider[]
