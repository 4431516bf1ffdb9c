import type { FriendshipHandlers } from '../deps.ts'
import { siteCopyHandlers } from './copy-site.ts'
import { deleteLinks } from './delete-links.ts'
import { deleteSite } from './delete-site.ts'
import { importStatuses } from './import-statuses.ts'
import { prepareErasure } from './prepare-erasure.ts'
import { refreshStatus } from './refresh-status.ts'
import { readStatus, readStatuses, recordStatus } from './statuses.ts'

export const handlers: FriendshipHandlers = {
  readStatus,
  readStatuses,
  refreshStatus,
  recordStatus,
  importStatuses,
  prepareErasure,
  deleteLinks,
  deleteSite,
  ...siteCopyHandlers,
}
