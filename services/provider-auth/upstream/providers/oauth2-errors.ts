import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import type { OAuth2Description, ProviderErrorResponse } from './oauth2-description.ts'
import { ProviderLoginRejected, ProviderRequestFailed } from './provider.ts'

/** The provider rejected a code or token as permanently invalid. */
export class GrantInvalid extends ProviderRequestFailed {
  override readonly name = 'GrantInvalid'
}

/** Translates an error of openid-client into one of our errors, if possible. */
export async function translateError(error: unknown, description: OAuth2Description): Promise<unknown> {
  if (error instanceof AuthorizationResponseError) return new ProviderLoginRejected(error.error, { cause: error })
  if (error instanceof ResponseBodyError) return toProviderFailure(toErrorResponse(error.error), error)
  // The library reports an error in a provider's own format as an unreadable response.
  if (error instanceof ClientError && error.cause instanceof Response) {
    return (await readProviderFailure(error.cause, description, error)) ?? error
  }
  return error
}

/** The error in an unsuccessful response; undefined if it cannot be read. */
export async function readProviderFailure(
  response: Response,
  { readErrorResponse }: OAuth2Description,
  cause?: Error,
): Promise<ProviderRequestFailed | undefined> {
  if (response.bodyUsed) return undefined
  const body = await response.json().catch(() => undefined)
  const standard = StandardError.safeParse(body)
  const errorResponse = standard.success ? toErrorResponse(standard.data.error) : readErrorResponse?.(body)
  return errorResponse && toProviderFailure(errorResponse, cause)
}

const StandardError = z.object({ error: z.string() })

/** RFC 6749 5.2 and RFC 6750 3.1. */
function toErrorResponse(error: string): ProviderErrorResponse {
  return { error, endsGrant: error === 'invalid_grant' || error === 'invalid_token' }
}

function toProviderFailure(
  { error, endsGrant: grantIsOver }: ProviderErrorResponse,
  cause?: Error,
): ProviderRequestFailed {
  return grantIsOver ? new GrantInvalid(error, { cause }) : new ProviderRequestFailed(error, { cause })
}
