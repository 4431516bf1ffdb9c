import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import type { OAuth2Protocol } from '#contracts'
import { ProviderLoginRejected, ProviderRequestFailed } from '../../domain/provider-client.ts'
import { findClaim } from './find-claims.ts'

type ErrorRules = Pick<OAuth2Protocol, 'errors' | 'grantErrors'>

/** An error response of the provider to our server. */
interface ProviderErrorResponse {
  /** The error name for the log. */
  readonly error: string
  /** The code or token is permanently invalid, for whatever reason. */
  readonly endsGrant: boolean
}

/** The provider rejected a code or token as permanently invalid. */
export class GrantInvalid extends ProviderRequestFailed {
  override readonly name = 'GrantInvalid'
}

/** Translates an error of openid-client into one of our errors, if possible. */
export async function translateError(error: unknown, rules: ErrorRules): Promise<unknown> {
  if (error instanceof AuthorizationResponseError) return new ProviderLoginRejected(error.error, { cause: error })
  if (error instanceof ResponseBodyError) return toProviderFailure(toErrorResponse(error.error, rules), error)
  // The library reports an error in a provider's own format as an unreadable response.
  if (error instanceof ClientError && error.cause instanceof Response) {
    return (await readProviderFailure(error.cause, rules, error)) ?? error
  }
  return error
}

/** The error in an unsuccessful response; undefined if it cannot be read. */
export async function readProviderFailure(
  response: Response,
  rules: ErrorRules,
  cause?: Error,
): Promise<ProviderRequestFailed | undefined> {
  if (response.bodyUsed) return undefined
  return readFailure(await response.json().catch(() => undefined), rules, cause)
}

/** The error in a body, by RFC 6749 5.2 or by the provider's own rules; undefined if it has none. */
export function readFailure(body: unknown, rules: ErrorRules, cause?: Error): ProviderRequestFailed | undefined {
  const standard = StandardError.safeParse(body)
  const errorResponse = standard.success ? toErrorResponse(standard.data.error, rules) : readOwnError(body, rules)
  return errorResponse && toProviderFailure(errorResponse, cause)
}

const StandardError = z.object({ error: z.string() })

/** RFC 6749 5.2 and RFC 6750 3.1. */
function toErrorResponse(error: string, { grantErrors = [] }: ErrorRules): ProviderErrorResponse {
  return { error, endsGrant: ['invalid_grant', 'invalid_token', ...grantErrors].includes(error) }
}

const OwnError = z.object({ type: z.string().optional(), code: z.union([z.int(), z.string().max(100)]) })

/** Reads an error in the provider's own format; undefined if it is not one. */
export function readOwnError(body: unknown, { errors }: ErrorRules): ProviderErrorResponse | undefined {
  if (errors === undefined) return undefined
  const { data } = OwnError.safeParse({
    type: errors.type === undefined ? undefined : findClaim(body, errors.type),
    code: findClaim(body, errors.code),
  })
  if (data === undefined || (errors.type !== undefined && data.type === undefined)) return undefined
  const { type = 'error', code } = data
  return { error: `${type}_${code}`, endsGrant: errors.endingGrant.includes(code) }
}

function toProviderFailure(
  { error, endsGrant: grantIsOver }: ProviderErrorResponse,
  cause?: Error,
): ProviderRequestFailed {
  return grantIsOver ? new GrantInvalid(error, { cause }) : new ProviderRequestFailed(error, { cause })
}
