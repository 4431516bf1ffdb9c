import type { FriendshipHandlers } from '../deps.ts'
import { forgetUser } from './forget-user.ts'
import { mergeUsers } from './merge-users.ts'
import { readStatus } from './read-status.ts'
import { recordStatus } from './record-status.ts'
import { refreshStatus } from './refresh-status.ts'
import { removeStatus } from './remove-status.ts'

export const handlers: FriendshipHandlers = {
  readStatus,
  refreshStatus,
  removeStatus,
  mergeUsers,
  recordStatus,
  forgetUser,
}
