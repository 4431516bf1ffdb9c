import type { Client } from '../../admin/types.ts'

interface AuthorizationParameters {
  readonly authorize_uri: string
  readonly client: Client
  readonly redirect_uri: string
}

/** Values that an application makes anew for each login. */
interface LoginValues {
  readonly state: string
  readonly nonce: string
  readonly code_challenge: string
}

/** The authorization address an application sends the browser to, as this client's flows and rules want it. */
export function buildAuthorizationUrl(
  { authorize_uri, client, redirect_uri }: AuthorizationParameters,
  login: LoginValues,
): string {
  const usesCode = client.response_types.includes('code')
  const usesPkce = usesCode && client.pkce !== 'optional'
  const query = new URLSearchParams({
    client_id: client.client_id,
    scope: 'openid profile email',
    response_type: usesCode ? 'code' : 'id_token',
    redirect_uri,
    state: login.state,
    ...(usesCode ? {} : { nonce: login.nonce }),
    ...(usesPkce ? { code_challenge: login.code_challenge, code_challenge_method: 'S256' } : {}),
  })
  return `${authorize_uri}?${query}`
}

/** Names in place of the values, for an address to be copied. */
export const placeholders: LoginValues = { state: 'STATE', nonce: 'NONCE', code_challenge: 'CHALLENGE' }

/** Values of a login; of the challenge nobody knows the verifier, so that the code is worth nothing (RFC 7636, 4.2). */
export async function createLoginValues(state: string): Promise<LoginValues> {
  const verifier = crypto.getRandomValues(new Uint8Array(32))
  const hash = await crypto.subtle.digest('SHA-256', verifier)
  const codeChallenge = new Uint8Array(hash).toBase64({ alphabet: 'base64url', omitPadding: true })
  return { state, nonce: crypto.randomUUID(), code_challenge: codeChallenge }
}
