import { z } from 'zod'
import {
  type Credential,
  type FriendStatus,
  type Link,
  type Provider,
  type ProviderNames,
  providers,
  Timestamp,
} from '#contracts'

/** What is known of a user's link: the link, its credential when one is stored, and for messaging the friend status. */
interface Facts extends Omit<Credential, 'created_at'>, z.infer<typeof FriendStatus> {
  /** The time of the link. */
  readonly created_at: string
}

/** Where a field of a credential object comes from; null: it is always null. */
type Source = keyof Facts | null

const always_null = null
/** Given by native apps that link a user themselves, which nothing here does. */
const native_app_only = null

const times = { created_at: 'created_at', updated_at: 'updated_at' } as const
const friendship_updated_at = always_null

/**
 * The fields of each provider's credential object after its id, in the order of the specification's table (Provider
 * credential objects). For the shopping provider, which has none there, what every link has (our choice).
 */
export const credentialFields: Readonly<Record<Provider, Readonly<Record<string, Source>>>> = {
  messaging: {
    access_token: 'access_token',
    refresh_token: 'refresh_token',
    expires_at: 'expires_at',
    friendship_status: 'friendship_status',
    friendship_status_updated_at: 'friendship_status_updated_at',
    friendship_updated_at,
    ...times,
  },
  portal: {
    access_token: 'access_token',
    access_token_secret: always_null,
    refresh_token: 'refresh_token',
    session_handle: always_null,
    expires_at: 'expires_at',
    handle_expires_at: always_null,
    client_access_token: native_app_only,
    client_refresh_token: native_app_only,
    client_expires_at: native_app_only,
    friendship_updated_at,
    ...times,
  },
  social: { access_token: 'access_token', expires_at: 'expires_at', friendship_updated_at, ...times },
  search: {
    access_token: 'access_token',
    refresh_token: 'refresh_token',
    expires_at: 'expires_at',
    friendship_updated_at,
    ...times,
  },
  search_legacy: { access_token: 'access_token', expires_at: 'expires_at', friendship_updated_at, ...times },
  device: times,
  microblog: {
    access_token: 'access_token',
    access_secret: 'access_secret',
    expires_at: always_null,
    client_access_token: native_app_only,
    client_access_secret: native_app_only,
    client_expires_at: native_app_only,
    friendship_updated_at,
    ...times,
  },
  shopping: times,
}

/** A credential object: `<provider>_id` and the provider's fields. */
export type CredentialObject = Readonly<Record<string, string | boolean | null>>

/** Credential objects by wire name, exactly as the specification's table has them; of providers that are not linked none. */
export function credentialObjects(names: ProviderNames): z.ZodType<Record<string, CredentialObject>> {
  const objects = providers.map((provider) => {
    const fields = Object.entries(credentialFields[provider])
    const shapes = fields.map(([field, source]) => [field, shapeOf(source, provider)])
    const id = { [`${names.wire(provider)}_id`]: z.string().max(255) }
    return [names.wire(provider), z.object({ ...id, ...Object.fromEntries(shapes) }).optional()]
  })
  // The entries above, each under its provider's wire name.
  return z.object(Object.fromEntries(objects)) as z.ZodType<Record<string, CredentialObject>>
}

const long_tokens: ReadonlySet<Provider> = new Set(['portal', 'search', 'search_legacy'])

type Tokens = Pick<Credential, 'access_token' | 'access_secret' | 'refresh_token'>

/** The longest token a field holds (specification, Provider credential objects). */
function longestToken(source: keyof Tokens, provider: Provider): number {
  return source === 'access_token' && long_tokens.has(provider) ? 65_535 : 255
}

function shapeOf(source: Source, provider: Provider): z.ZodType {
  switch (source) {
    case null:
      return z.null()
    case 'created_at':
    case 'updated_at':
      return Timestamp
    case 'expires_at':
    case 'friendship_status_updated_at':
      return Timestamp.nullable()
    case 'friendship_status':
      return z.boolean().nullable()
    default:
      return z.string().max(longestToken(source, provider)).nullable()
  }
}

export interface Credentials {
  /** By `link_id`. */
  readonly stored: Readonly<Record<string, Credential>>
  readonly friend: z.infer<typeof FriendStatus>
}

/** Credential objects of the user's links, by wire name; a link without a stored credential has nulls and its own times. */
export function showCredentials(
  links: readonly Link[],
  { stored, friend }: Credentials,
  names: ProviderNames,
): Record<string, CredentialObject> {
  const objects = links.map(({ link_id, provider, provider_user_id, created_at }): [string, CredentialObject] => {
    const credential = stored[link_id] ?? { ...nothing_stored, updated_at: created_at }
    const facts: Facts = { ...credential, ...fittingTokens(credential, provider), ...friend, created_at }
    const fields = Object.entries(credentialFields[provider])
    const shown = fields.map(([field, source]) => [field, source === null ? null : facts[source]])
    const name = names.wire(provider)
    return [name, { [`${name}_id`]: provider_user_id, ...Object.fromEntries(shown) }]
  })
  return Object.fromEntries(objects)
}

/** A token that is longer than its field is null: cut, it would be a wrong one (our choice). */
function fittingTokens({ access_token, access_secret, refresh_token }: Tokens, provider: Provider): Tokens {
  const whole = (source: keyof Tokens, token: string | null) =>
    token !== null && token.length <= longestToken(source, provider) ? token : null
  return {
    access_token: whole('access_token', access_token),
    access_secret: whole('access_secret', access_secret),
    refresh_token: whole('refresh_token', refresh_token),
  }
}

const nothing_stored = { access_token: null, access_secret: null, refresh_token: null, expires_at: null }
