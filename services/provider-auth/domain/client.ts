export interface RegisteredClient {
  readonly client_id: string
  readonly site: number
  readonly name: string
  readonly kind: 'confidential' | 'public'
  /** What the client's authorization requests must carry; never `optional` for a public client. */
  readonly pkce: 'optional' | 'required' | 'S256'
  readonly id_token_alg: 'RS256' | 'ES256'
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
  /** The flows it may use. */
  readonly response_types: readonly ('code' | 'id_token')[]
}
