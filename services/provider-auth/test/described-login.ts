import { type BuiltInLoginProvider, type LoginProtocol, loginProviderDescriptions, type ProviderData } from '#contracts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import type { Scope } from '../domain/scopes.ts'
import type { DescribedLogin } from '../upstream/providers/adapter.ts'
import { toProviderScopes } from '../upstream/providers/provider-scopes.ts'
import { readClaims } from '../upstream/providers/read-claims.ts'
import { createAddressMapper } from '../upstream/providers/simulator-address.ts'

type ProtocolOf<T extends LoginProtocol['type']> = Extract<LoginProtocol, { readonly type: T }>

/** A login provider with its protocol of a type. */
export function describedLogin<T extends LoginProtocol['type']>(
  provider: BuiltInLoginProvider,
  type: T,
): DescribedLogin<ProtocolOf<T>> {
  const description = loginProviderDescriptions[provider]
  const protocol = description.protocols.find((one): one is ProtocolOf<T> => one.type === type)
  if (protocol === undefined) throw new Error(`${provider} has no ${type}.`)
  return { provider, description, protocol }
}

/** The data in the claims of a provider that uses OpenID Connect. */
export function readOidcClaims(provider: BuiltInLoginProvider, claims: object): ProviderData {
  return readClaims(describedLogin(provider, 'oidc').protocol.claims, claims)
}

/** The provider's scopes for those that an application was granted. */
export function requestScopes(
  { protocol, description }: DescribedLogin<ProtocolOf<'oidc' | 'oauth2'>>,
  granted: readonly Scope[],
  {
    official_account = false,
    options = {},
    permitted,
  }: Partial<Pick<SiteProviderSettings, 'official_account' | 'options'>> & {
    readonly permitted?: readonly string[] | undefined
  } = {},
): readonly string[] {
  return toProviderScopes(protocol, description.permissions, {
    granted,
    settings: { official_account, options },
    permitted,
  })
}

/** The addresses of a provider that uses OAuth, or those of the simulator. */
export function listAddresses(
  { provider, protocol }: DescribedLogin<ProtocolOf<'oauth2'>>,
  simulatorUrl: string | undefined,
): string[] {
  const { endpoints, user, deauthorization = [] } = protocol
  const addresses = [...Object.values(endpoints), user.endpoint, deauthorization].flat()
  return addresses.map(createAddressMapper(simulatorUrl, provider))
}
