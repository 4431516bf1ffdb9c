import { z } from 'zod'
import {
  builtInProviders,
  type Credential,
  type CredentialSource,
  describeProvider,
  type FriendStatus,
  type Link,
  type Provider,
  type ProviderNames,
  Timestamp,
} from '#contracts'

/** The data of a link: its credential if one is stored and, for messaging, the friend status. */
interface CredentialFacts extends Omit<Credential, 'created_at'>, z.infer<typeof FriendStatus> {
  /** When the account was linked. */
  readonly created_at: string
}

/** A credential object: `<provider>_id` and the provider's fields. */
export type CredentialObject = Readonly<Record<string, string | boolean | null>>

/** The schema of credential objects by wire name, as in the specification's table; only linked providers have one. Providers that the site configured have objects of one kind. */
export function credentialObjects(names: ProviderNames): z.ZodType<Record<string, CredentialObject>> {
  const objects = builtInProviders.map((provider) => {
    const fields = Object.entries(describeProvider(provider).credential.fields)
    const shapes = fields.map(([field, source]) => [field, fieldSchema(source, provider)])
    const id = { [`${names.wire(provider)}_id`]: z.string().max(255) }
    return [names.wire(provider), z.object({ ...id, ...Object.fromEntries(shapes) }).optional()]
  })
  // `Object.fromEntries` loses the type of the entries.
  const known = z.object(Object.fromEntries(objects)).catchall(ConfiguredCredential)
  return known as unknown as z.ZodType<Record<string, CredentialObject>>
}

/** The credential object of a provider that the site configured; it also has `<name>_id`. */
const ConfiguredCredential = z
  .object({
    access_token: z.string().max(65_535).nullable(),
    refresh_token: z.string().max(255).nullable(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .catchall(z.string().max(255))

const tokenSources = [
  'access_token',
  'access_secret',
  'refresh_token',
  'client_access_token',
  'client_access_secret',
  'client_refresh_token',
] as const
type TokenSource = (typeof tokenSources)[number]

/** The maximum length of a token field (specification, Provider credential objects). */
function maximumTokenLength(source: TokenSource, provider: Provider): number {
  const isAccessToken = source === 'access_token' || source === 'client_access_token'
  return isAccessToken && describeProvider(provider).credential.longAccessTokens ? 65_535 : 255
}

function fieldSchema(source: CredentialSource, provider: Provider): z.ZodType {
  switch (source) {
    case null:
      return z.null()
    case 'created_at':
    case 'updated_at':
      return Timestamp
    case 'expires_at':
    case 'client_expires_at':
    case 'friendship_status_updated_at':
      return Timestamp.nullable()
    case 'friendship_status':
      return z.boolean().nullable()
    default:
      return z.string().max(maximumTokenLength(source, provider)).nullable()
  }
}

export interface Credentials {
  /** By `link_id`. */
  readonly stored: Readonly<Record<string, Credential>>
  readonly friend: z.infer<typeof FriendStatus>
}

/** Credential objects of the user's links, by wire name. A link without a credential has nulls and its own times. */
export function showCredentials(
  links: readonly Link[],
  { stored, friend }: Credentials,
  names: ProviderNames,
): Record<string, CredentialObject> {
  const objects = links.map(({ link_id, provider, provider_user_id, created_at }): [string, CredentialObject] => {
    const credential = stored[link_id] ?? { ...nothingStored, updated_at: created_at }
    const facts: CredentialFacts = { ...credential, ...dropLongTokens(credential, provider), ...friend, created_at }
    const fields = Object.entries(describeProvider(provider).credential.fields)
    const shown = fields.map(([field, source]) => [field, source === null ? null : facts[source]])
    const name = names.wire(provider)
    return [name, { [`${name}_id`]: provider_user_id, ...Object.fromEntries(shown) }]
  })
  return Object.fromEntries(objects)
}

/** A token that is longer than its field becomes null, because a truncated one would be invalid (our choice). */
function dropLongTokens(credential: Pick<Credential, TokenSource>, provider: Provider): Partial<Credential> {
  const tooLong = tokenSources.filter(
    (source) => (credential[source]?.length ?? 0) > maximumTokenLength(source, provider),
  )
  return Object.fromEntries(tooLong.map((source) => [source, null]))
}

const nothingStored = {
  access_token: null,
  access_secret: null,
  refresh_token: null,
  expires_at: null,
  client_access_token: null,
  client_access_secret: null,
  client_refresh_token: null,
  client_expires_at: null,
}
