import type { Call } from '#bus'
import { Fault, isWithinBytes, limits, type Metadata } from '#contracts'
import type { Deps } from '../deps.ts'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { RegisteredClient } from '../domain/client.ts'

/** The parts of a user's metadata by the names of their claims; a part without members is `{}`. */
export type MetadataClaims = Partial<Metadata>

interface UserOfSite {
  readonly site: number
  readonly identifier: string
}

/** The metadata that a client receives as claims. Clients without the setting cause no call. */
export async function readMetadataClaims(
  { metadata_claims }: Pick<RegisteredClient, 'metadata_claims'>,
  { site, identifier }: UserOfSite,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<MetadataClaims> {
  if (metadata_claims.length === 0) return {}
  try {
    const metadata = await identity.readMetadata({ site, identifier }, call)
    return Object.fromEntries(metadata_claims.map((part) => [part, metadata[part]]))
  } catch (error) {
    // The deletion of a user is the concern of the caller, which resolves the user.
    if (error instanceof Fault && error.fault === 'entity_not_found') return {}
    throw error
  }
}

/**
 * The claims that an ID Token has: none if they are larger than `metadata_claims_bytes`, because ID Tokens travel in URLs, in the
 * `id_token` flow and as `id_token_hint`.
 */
export function toIdTokenMetadata(claims: MetadataClaims): MetadataClaims {
  return isWithinBytes(limits.metadata_claims_bytes, ...Object.values(claims)) ? claims : {}
}

/** The metadata in an ID Token of the `id_token` flow. In the code flow, the token endpoint reads it when it issues the token. */
export async function readResponseMetadata(
  { response_type }: Pick<AuthorizationRequest, 'response_type'>,
  client: RegisteredClient,
  user: UserOfSite,
  deps: Pick<Deps, 'identity'>,
  call: Call,
): Promise<MetadataClaims> {
  return response_type === 'id_token' ? toIdTokenMetadata(await readMetadataClaims(client, user, deps, call)) : {}
}
