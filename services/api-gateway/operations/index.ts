import type { Operation } from '../operation.ts'
import { appinfo } from './appinfo.ts'
import { associationToken } from './association-token.ts'
import { authenticatedUser } from './authenticated-user.ts'
import { blockUser } from './block-user.ts'
import { consents } from './consents.ts'
import { createUser } from './create-user.ts'
import { deleteProfile } from './delete-profile.ts'
import { deleteUser } from './delete-user.ts'
import { dissociate } from './dissociate.ts'
import { events } from './events.ts'
import { findUsers } from './find-users.ts'
import { friendshipStatus } from './friendship-status.ts'
import { grantProfile } from './grant-profile.ts'
import { map } from './map.ts'
import { mergeUser } from './merge-user.ts'
import { metadata } from './metadata.ts'
import { profile } from './profile.ts'
import { profileFromProviders } from './profile-from-providers.ts'
import { providers } from './providers.ts'
import { providersOfUser } from './providers-of-user.ts'
import { recordConsents } from './record-consents.ts'
import { unblockUser } from './unblock-user.ts'
import { unmap } from './unmap.ts'
import { updateMetadata } from './update-metadata.ts'
import { userAttribute } from './user-attribute.ts'
import { users } from './users.ts'

/** All operations of the Web API, in the specification's order, then ours. */
export const operations: readonly Operation[] = [
  createUser,
  userAttribute,
  profile,
  profileFromProviders,
  deleteProfile,
  grantProfile,
  dissociate,
  providersOfUser,
  providers,
  mergeUser,
  map,
  unmap,
  deleteUser,
  friendshipStatus,
  users,
  associationToken,
  appinfo,
  authenticatedUser,
  events,
  blockUser,
  unblockUser,
  metadata,
  updateMetadata,
  findUsers,
  consents,
  recordConsents,
]
