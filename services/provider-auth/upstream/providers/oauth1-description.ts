import type { ProfileItem } from '#contracts'
import type { ProviderUser } from './oauth2-description.ts'
import type { Adapter, Prompt } from './provider.ts'

/** Describes a login provider that uses three-legged OAuth 1.0a (RFC 5849, signed with HMAC-SHA1). */
export interface OAuth1Description extends Omit<Adapter, 'connect'> {
  /**
   * `authorization`: where end users are sent. `invalidation`: ends the access token that the request is signed with.
   */
  readonly endpoints: Readonly<Record<'request_token' | 'authorization' | 'access_token' | 'invalidation', string>>
  /** The provider's parameters for each prompt; absent prompts are not supported. */
  readonly prompts: Readonly<Partial<Record<Prompt, Readonly<Record<string, string>>>>>
  /** The resources with the requested items; the first one that does not respond with 403 is used. */
  readonly userResources: (requested: readonly ProfileItem[]) => readonly [SignedResource, ...SignedResource[]]
  /** The provider's error code for an invalid token. */
  readonly invalidTokenCode: number
}

/** A resource with the user's account, requested with a signature. */
export interface SignedResource {
  readonly endpoint: string
  readonly read: (body: unknown) => ProviderUser
}

/** Maps the provider's addresses to the simulator, if there is one; path and query stay the same. */
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
