import type { RegisteredClient } from '../../domain/client.ts'
import { OAuthError } from '../../http/oauth-error.ts'

export interface TokenRequest {
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string | undefined
}

/** Parses the parameters of RFC 6749 4.1.3 and RFC 7636 4.5; ignores all others. */
export function parseTokenRequest(form: ReadonlyMap<string, string>, client: RegisteredClient): TokenRequest {
  const required = (name: string) => {
    const value = form.get(name)
    if (value === undefined) throw new OAuthError('parameter_missing', { parameter: name })
    return value
  }
  return {
    code: required('code'),
    redirect_uri: required('redirect_uri'),
    code_verifier: client.pkce === 'optional' ? form.get('code_verifier') : required('code_verifier'),
  }
}
