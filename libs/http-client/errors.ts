import { AddressBlocked } from './public-addresses.ts'

/** Why a request has no response. */
export type RequestFailure = 'timeout' | 'tls' | 'address_blocked' | 'network'

/** Classifies the error of a request by its innermost cause that is specific. */
export function classifyRequestError(error: unknown): RequestFailure {
  if (!(error instanceof Error)) return 'network'
  if (error instanceof AddressBlocked) return 'address_blocked'
  const code = String(Reflect.get(error, 'code') ?? '')
  if (error.name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout'
  if (/TLS|SSL|CERT|SIGNATURE/.test(code)) return 'tls'
  return classifyRequestError(error.cause)
}

/** Finds the code of the innermost cause that has one, such as `ECONNREFUSED`; null if there is none. */
export function findErrorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code: unknown = Reflect.get(error, 'code')
  return findErrorCode(error.cause) ?? (typeof code === 'string' ? code : null)
}
