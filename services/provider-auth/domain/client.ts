import type { MetadataPartName } from '#contracts'

export interface RegisteredClient {
  readonly client_id: string
  readonly site: number
  readonly name: string
  readonly kind: 'confidential' | 'public'
  /** Whether the client's authorization requests need PKCE; never `optional` for a public client. */
  readonly pkce: 'optional' | 'required' | 'S256'
  readonly id_token_alg: 'RS256' | 'ES256'
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
  /** Site logins may also return to any URL in the site's domains. */
  readonly callback_by_domain: boolean
  /** The client may exchange tokens of login providers for ours. */
  readonly token_exchange: boolean
  /** The parts of the user's metadata that are claims. */
  readonly metadata_claims: readonly MetadataPartName[]
  /** Whether the user's answers to the documents of the site are a claim. */
  readonly consents_claim: boolean
  /** Whether the client can request the scope that reads and changes `user_metadata`. */
  readonly user_metadata_write: boolean
  /** The flows that the client may use. */
  readonly response_types: readonly ('code' | 'id_token')[]
}
