import type { ProfileItem } from '#contracts'
import type { ProviderUser } from './oauth2-description.ts'
import type { Adapter, Prompt } from './provider.ts'

/** A login provider of three-legged OAuth 1.0a (RFC 5849, signed with HMAC-SHA1), as data and a few functions. */
export interface OAuth1Description extends Omit<Adapter, 'connect'> {
  /** `authorization` is where people are sent; `invalidation` ends the access token with which it is called. */
  readonly endpoints: Readonly<Record<'request_token' | 'authorization' | 'access_token' | 'invalidation', string>>
  /** The provider's own parameters for what a person can be asked; what is absent it does not know. */
  readonly prompts: Readonly<Partial<Record<Prompt, Readonly<Record<string, string>>>>>
  /** Where the requested items are read: the first resource that the provider does not forbid the application (403). */
  readonly userResources: (requested: readonly ProfileItem[]) => readonly [SignedResource, ...SignedResource[]]
  /** The provider's own number of the error that tells that a token is over. */
  readonly invalidTokenCode: number
}

/** What a signed call reads of a person. */
export interface SignedResource {
  readonly endpoint: string
  readonly read: (body: unknown) => ProviderUser
}

/** Where the simulator plays the provider: an address keeps its path and query and moves below the simulator's. */
export function createAddressMapper(
  simulatorUrl: string | undefined,
  { provider }: Pick<OAuth1Description, 'provider'>,
) {
  return (address: string): string => {
    if (simulatorUrl === undefined) return address
    const { pathname, search } = new URL(address)
    return `${simulatorUrl}/${provider}${pathname}${search}`
  }
}
