import type { Call } from '#bus'
import { type Consent, Fault, isWithinBytes, limits, type Metadata } from '#contracts'
import type { Deps } from '../deps.ts'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { RegisteredClient } from '../domain/client.ts'

/** The answers of a user by the names of the documents. */
type ConsentClaim = Readonly<Record<string, Omit<Consent, 'document'>>>

/** What a client receives of its users by its settings, by the names of the claims; a part without members is `{}`. */
export type UserClaims = Partial<Metadata> & { readonly consents?: ConsentClaim }

interface UserOfSite {
  readonly site: number
  readonly identifier: string
}

type ClaimSettings = Pick<RegisteredClient, 'metadata_claims' | 'consents_claim'>

/** The metadata and the answers that a client receives as claims. Clients without the settings cause no call. */
export async function readUserClaims(
  { metadata_claims, consents_claim }: ClaimSettings,
  { site, identifier }: UserOfSite,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<UserClaims> {
  try {
    const [metadata, answers] = await Promise.all([
      metadata_claims.length === 0 ? undefined : identity.readMetadata({ site, identifier }, call),
      consents_claim ? identity.readConsents({ site, identifier }, call) : undefined,
    ])
    return {
      ...(metadata && Object.fromEntries(metadata_claims.map((part) => [part, metadata[part]]))),
      ...(answers && { consents: toConsentClaim(answers.consents) }),
    }
  } catch (error) {
    // The deletion of a user is the concern of the caller, which resolves the user.
    if (error instanceof Fault && error.fault === 'entity_not_found') return {}
    throw error
  }
}

function toConsentClaim(consents: readonly Consent[]): ConsentClaim {
  return Object.fromEntries(consents.map(({ document, ...answer }) => [document, answer]))
}

/**
 * The claims that an ID Token has: none if they are larger than `user_claims_bytes`, because ID Tokens travel in URLs, in the
 * `id_token` flow and as `id_token_hint`.
 */
export function toIdTokenClaims(claims: UserClaims): UserClaims {
  return isWithinBytes(limits.user_claims_bytes, ...Object.values(claims)) ? claims : {}
}

/** The claims in an ID Token of the `id_token` flow. In the code flow, the token endpoint reads them when it issues the token. */
export async function readResponseClaims(
  { response_type }: Pick<AuthorizationRequest, 'response_type'>,
  client: RegisteredClient,
  user: UserOfSite,
  deps: Pick<Deps, 'identity'>,
  call: Call,
): Promise<UserClaims> {
  return response_type === 'id_token' ? toIdTokenClaims(await readUserClaims(client, user, deps, call)) : {}
}
