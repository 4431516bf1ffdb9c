import type { IdentityHandlers } from '../deps.ts'
import { requireSameUser } from '../domain/same-user.ts'
import { findEachUser, toLookups } from '../store/user-lookup.ts'

export const resolveUser: IdentityHandlers['resolveUser'] = async ({ site, ...ids }, { reader }) =>
  requireSameUser(await findEachUser(reader, toLookups(site, ids)))
