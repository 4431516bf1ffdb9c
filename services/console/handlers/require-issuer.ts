import { createReason } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'

/** Endpoints of Entra ID that authenticate users of every organization. */
const sharedTenants: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers'])

/** @throws AdminFault `invalid_request` for an issuer that is not public, has no discovery document, or serves every organization */
export async function requireIssuer(
  settings: Parameters<Deps['accountProviders']['create']>[0],
  { create, isUrlAllowed }: Pick<Deps['accountProviders'], 'create' | 'isUrlAllowed'>,
): Promise<void> {
  const { hostname, pathname } = new URL(settings.issuer)
  if (!isUrlAllowed(settings.issuer)) {
    throw new AdminFault('invalid_request', { field: 'issuer', reason: createReason('issuer_not_public') })
  }
  if (hostname === 'login.microsoftonline.com' && sharedTenants.has(pathname.split('/')[1] ?? '')) {
    throw new AdminFault('invalid_request', { field: 'issuer', reason: createReason('issuer_of_all_tenants') })
  }
  await create(settings)
    .discover()
    .catch((cause: unknown) => {
      throw new AdminFault('invalid_request', { field: 'issuer', reason: createReason('issuer_unreachable'), cause })
    })
}
