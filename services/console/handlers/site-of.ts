import type { AdminReason } from '#admin-api'
import type { Call } from '#bus'
import { Fault, type FaultName, type SiteDetails } from '#contracts'
import type { Deps } from '../deps.ts'
import { AdminFault } from './admin-fault.ts'

/** The site of a path. @throws Fault `entity_not_found` */
export function siteOf(
  { account, site_id }: { readonly account: string; readonly site_id: string },
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<SiteDetails> {
  return identity.readSite({ account, site_id }, call)
}

/** Puts refusals of an asked service into the console's own words. */
export async function inWords<T>(
  asked: Promise<T>,
  words: Readonly<Partial<Record<FaultName, () => AdminFault>>>,
): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const word = error instanceof Fault ? words[error.fault] : undefined
    throw word === undefined ? error : word()
  }
}

/** Not possible as things are, and why. */
export function conflict(reason: AdminReason): () => AdminFault {
  return () => new AdminFault('conflict', { reason })
}
