import type { Client } from '../../admin/types.ts'

interface AuthorizationParameters {
  readonly authorize_uri: string
  readonly client: Client
  readonly redirect_uri: string
}

/** Values that differ between logins. */
interface LoginValues {
  readonly scope: string
  readonly state: string
  readonly nonce: string
  readonly code_challenge: string
}

/** Builds the authorization URL with the parameters that the client's flows and rules require. */
export function buildAuthorizationUrl(
  { authorize_uri, client, redirect_uri }: AuthorizationParameters,
  login: LoginValues,
): string {
  const usesCode = client.response_types.includes('code')
  const usesPkce = usesCode && client.pkce !== 'optional'
  const query = new URLSearchParams({
    client_id: client.client_id,
    scope: login.scope,
    response_type: usesCode ? 'code' : 'id_token',
    redirect_uri,
    state: login.state,
    ...(usesCode ? {} : { nonce: login.nonce }),
    ...(usesPkce ? { code_challenge: login.code_challenge, code_challenge_method: 'S256' } : {}),
  })
  return `${authorize_uri}?${query}`
}

/** Placeholders for a URL to copy. */
export const placeholders: LoginValues = {
  scope: 'openid profile email',
  state: 'STATE',
  nonce: 'NONCE',
  code_challenge: 'CHALLENGE',
}

/** Creates the values of a test login, which requests everything that the provider supplies. The PKCE verifier is discarded, so that the code cannot be exchanged (RFC 7636, 4.2). */
export async function createLoginValues(state: string): Promise<LoginValues> {
  const verifier = crypto.getRandomValues(new Uint8Array(32))
  const hash = await crypto.subtle.digest('SHA-256', verifier)
  const codeChallenge = new Uint8Array(hash).toBase64({ alphabet: 'base64url', omitPadding: true })
  const scope = `${placeholders.scope} address phone`
  return { scope, state, nonce: crypto.randomUUID(), code_challenge: codeChallenge }
}
