import { errors } from 'jose'
import { ClientError } from 'openid-client'
import { ZodError } from 'zod'
import type { LoginAdvice } from '#contracts'
import { ProviderLoginRejected } from '../../domain/provider-client.ts'
import { isProviderUnavailable } from '../../upstream/http-client/fetch.ts'
import { OAuth1Error } from '../../upstream/providers/oauth1-request.ts'

/** Advice by what errors say: the error codes of providers, and the names in messages of ours and of the library. */
const advice: readonly (readonly [LoginAdvice, RegExp])[] = [
  ['unreachable', /\bstatus_5\d\d\b/],
  ['client', /\b(invalid_client|unauthorized_client|incorrect_client_credentials)\b/],
  ['redirect_uri', /redirect_uri/],
  ['scopes', /invalid_scope/],
  ['pkce', /code_verifier|code_challenge|PKCE/i],
  ['issuer', /\biss\b|issuer/],
  ['nonce', /\bnonce\b/],
  ['clock', /\b(iat|exp|nbf)\b/],
  ['client', /\b(aud|azp)\b/],
  ['id_token_alg', /\balg\b|algorithm/i],
  ['user_id', /no_user_id|user.?id\b|\bsub\b/i],
  ['id_token_missing', /id_token/],
]

/** What a member should look at after a test login failed; null if nothing is known. */
export function adviseOn(error: unknown): LoginAdvice | null {
  if (isProviderUnavailable(error)) return 'unreachable'
  const chain = listCauses(error)
  if (chain.some((one) => (readStatus(one) ?? 0) >= 500)) return 'unreachable'
  if (chain.some((one) => one instanceof errors.JOSEAlgNotAllowed)) return 'id_token_alg'
  if (
    chain.some((one) => one instanceof errors.JWSSignatureVerificationFailed || one instanceof errors.JWKSNoMatchingKey)
  )
    return 'keys'
  const words = chain.map(describe).join('\n')
  const known = advice.find(([, pattern]) => pattern.test(words))?.[0]
  if (known !== undefined) return known
  return chain.some((one) => one instanceof ClientError || one instanceof SyntaxError) ? 'response' : null
}

/** The status of the provider's response, if the error is about one. */
function readStatus(error: Error): number | undefined {
  if (error instanceof OAuth1Error) return error.status
  return error.cause instanceof Response ? error.cause.status : undefined
}

function listCauses(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : []
}

function describe(error: Error): string {
  const claim = Object(error.cause).claim ?? Reflect.get(error, 'claim')
  const path = error instanceof ZodError ? error.issues.map((issue) => issue.path.join('.')).join(' ') : ''
  const rejected = error instanceof ProviderLoginRejected ? error.error : ''
  return [error.message, claim, path, rejected].join(' ')
}
