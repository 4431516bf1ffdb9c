import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import type { OAuth2Description, ProviderErrorResponse } from './oauth2-description.ts'
import { ProviderLoginRejected, ProviderRequestFailed } from './provider.ts'

/** The provider refused a code or token because it is over. */
export class GrantInvalid extends ProviderRequestFailed {}

/**
 * What went wrong in an exchange with the provider, in our words as far as there are some.
 *
 * @param error of openid-client
 */
export async function translateError(error: unknown, description: OAuth2Description): Promise<unknown> {
  if (error instanceof AuthorizationResponseError) return new ProviderLoginRejected(error.error, { cause: error })
  if (error instanceof ResponseBodyError) return toProviderFailure(toErrorResponse(error.error), error)
  // An error in a form of the provider's own is to the library an answer that it cannot read.
  if (error instanceof ClientError && error.cause instanceof Response) {
    return (await readProviderFailure(error.cause, description, error)) ?? error
  }
  return error
}

/** The failure that an unsuccessful answer tells of; undefined when it tells nothing that can be read. */
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
