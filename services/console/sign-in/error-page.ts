import type { Context } from '#http'
import { toAdminFault } from '../http/errors.ts'
import { type CountFailure, isCountedFailure } from '../http/failures.ts'

/** Returns the sign-in page with the error of a callback, and counts failures of the address. Rethrows defects. */
export async function toErrorPage(ctx: Context, error: unknown, countFailure: CountFailure): Promise<string> {
  const adminFault = toAdminFault(error)
  if (adminFault === undefined) throw error
  const { fault, reason } = adminFault
  if (isCountedFailure(fault)) await countFailure(ctx)
  const reasonParameters = reason === undefined ? {} : { reason: reason.name, ...reason.parameters }
  return `/sign-in?${new URLSearchParams({ error: fault, ...reasonParameters })}`
}
