import type { IdentityHandlers } from '../deps.ts'
import { requireSameUser } from '../domain/same-user.ts'
import { findUser, toLookups } from '../store/user-lookup.ts'

export const resolveUser: IdentityHandlers['resolveUser'] = async ({ site, ...ids }, { reader }) =>
  requireSameUser(await Promise.all(toLookups(site, ids).map((lookup) => findUser(reader, lookup))))
