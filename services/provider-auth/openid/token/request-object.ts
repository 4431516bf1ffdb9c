import { decodeJwt } from 'jose'

/**
 * Reads `response_mode` of a request object, which is always refused: a client that sends the parameter only there can read
 * the error only in that mode (OpenID Connect Core 6.1). Nothing else is read, and its signature is not verified.
 */
export function readRequestedMode(requestObject: string | undefined): string | undefined {
  if (requestObject === undefined) return undefined
  try {
    const { response_mode } = decodeJwt(requestObject)
    return typeof response_mode === 'string' ? response_mode : undefined
  } catch {
    return undefined
  }
}
