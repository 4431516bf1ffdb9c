import type { FriendshipHandlers } from '../deps.ts'
import { deleteLinks } from './delete-links.ts'
import { readStatus } from './read-status.ts'
import { recordStatus } from './record-status.ts'
import { refreshStatus } from './refresh-status.ts'

export const handlers: FriendshipHandlers = { readStatus, refreshStatus, recordStatus, deleteLinks }
