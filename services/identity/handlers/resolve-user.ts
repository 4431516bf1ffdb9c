import type { IdentityHandlers } from '../deps.ts'
import { requireSameUser } from '../domain/same-user.ts'
import { toLookups } from '../store/user-lookup.ts'

export const resolveUser: IdentityHandlers['resolveUser'] = async ({ site, ...ids }, { findUser }) =>
  requireSameUser(await Promise.all(toLookups(site, ids).map(findUser)))
