import type { AdminReason } from '#admin-api'
import type { Call } from '#bus'
import { Fault, type FaultName, type SiteDetails } from '#contracts'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'

/** Finds the site of a path. @throws Fault `entity_not_found` */
export function resolveSite(
  { account, site_id }: { readonly account: string; readonly site_id: string },
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<SiteDetails> {
  return identity.readSite({ account, site_id }, call)
}

/** Translates faults of a called service to admin faults. */
export async function translateFaults<T>(
  request: Promise<T>,
  translations: Readonly<Partial<Record<FaultName, () => AdminFault>>>,
): Promise<T> {
  try {
    return await request
  } catch (error) {
    const translate = error instanceof Fault ? translations[error.fault] : undefined
    throw translate === undefined ? error : translate()
  }
}

/** Creates a translation to `conflict` with a reason. */
export function toConflict(reason: AdminReason): () => AdminFault {
  return () => new AdminFault('conflict', { reason })
}
