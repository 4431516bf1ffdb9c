import { hash, timingSafeEqual } from 'node:crypto'

/** The code challenge of an authorization request (RFC 7636); null if it had none. */
export interface CodeChallenge {
  readonly code_challenge: string | null
  readonly code_challenge_method: 'plain' | 'S256' | null
}

/** `code-verifier` of RFC 7636 4.1. */
const verifierGrammar = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * Verifies a token request's code_verifier against the challenge (RFC 7636 4.6). A verifier without a challenge is
 * invalid: the challenge may have been removed by an attacker (RFC 9700 4.8.2).
 */
export function isCodeVerifierValid(
  verifier: string | undefined,
  { code_challenge, code_challenge_method }: CodeChallenge,
): boolean {
  if (code_challenge === null) return verifier === undefined
  if (verifier === undefined || !verifierGrammar.test(verifier)) return false
  const computed = code_challenge_method === 'S256' ? deriveCodeChallenge(verifier) : verifier
  return timingSafeEqual(sha256(computed), sha256(code_challenge))
}

/**
 * A challenge in the form that may be stored: for `plain`, which is the verifier itself, the digest, which the same
 * verifiers match.
 */
export function toStoredChallenge({ code_challenge, code_challenge_method }: CodeChallenge): CodeChallenge {
  return code_challenge !== null && code_challenge_method === 'plain'
    ? { code_challenge: deriveCodeChallenge(code_challenge), code_challenge_method: 'S256' }
    : { code_challenge, code_challenge_method }
}

/**
 * The S256 challenge of a verifier (RFC 7636 4.2). Synchronous: that of openid-client waits for another thread, which
 * costs more than the hash.
 */
export function deriveCodeChallenge(verifier: string): string {
  return sha256(verifier).toString('base64url')
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
