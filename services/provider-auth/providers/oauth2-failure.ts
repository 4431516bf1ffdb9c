import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import type { OAuth2Description, Refusal } from './oauth2-description.ts'
import { ProviderFailure, ProviderRefusal } from './provider.ts'

/** The provider refused a code or token because it is over. */
export class GrantOver extends ProviderFailure {}

/**
 * What went wrong in an exchange with the provider, in our words as far as there are some.
 *
 * @param error of openid-client
 */
export async function inOurWords(error: unknown, description: OAuth2Description): Promise<unknown> {
  if (error instanceof AuthorizationResponseError) return new ProviderRefusal(error.error, { cause: error })
  if (error instanceof ResponseBodyError) return failureOf(refusalOf(error.error), error)
  // An error in a form of the provider's own is to the library an answer that it cannot read.
  if (error instanceof ClientError && error.cause instanceof Response) {
    return (await readFailure(error.cause, description, error)) ?? error
  }
  return error
}

/** The failure that an unsuccessful answer tells of; undefined when it tells nothing that can be read. */
export async function readFailure(
  response: Response,
  { readRefusal }: OAuth2Description,
  cause?: Error,
): Promise<ProviderFailure | undefined> {
  if (response.bodyUsed) return undefined
  const answer = await response.json().catch(() => undefined)
  const standard = StandardError.safeParse(answer)
  const refusal = standard.success ? refusalOf(standard.data.error) : readRefusal?.(answer)
  return refusal && failureOf(refusal, cause)
}

const StandardError = z.object({ error: z.string() })

/** RFC 6749 5.2 and RFC 6750 3.1. */
function refusalOf(error: string): Refusal {
  return { error, grantIsOver: error === 'invalid_grant' || error === 'invalid_token' }
}

function failureOf({ error, grantIsOver }: Refusal, cause?: Error): ProviderFailure {
  return grantIsOver ? new GrantOver(error, { cause }) : new ProviderFailure(error, { cause })
}
