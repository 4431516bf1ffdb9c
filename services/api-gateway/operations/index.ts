import type { Operation } from '../operation.ts'
import { appinfo } from './appinfo.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { map } from './map.ts'
import { profile } from './profile.ts'
import { providers } from './providers.ts'
import { providersOfUser } from './providers-of-user.ts'
import { unmap } from './unmap.ts'
import { userAttribute } from './user-attribute.ts'
import { users } from './users.ts'

/** Every operation of the Web API. */
export const operations: readonly Operation[] = [
  createUser,
  userAttribute,
  profile,
  providersOfUser,
  providers,
  map,
  unmap,
  deleteUser,
  users,
  appinfo,
]
