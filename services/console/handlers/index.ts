import type { AdminProcedureName } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { auditHandlers } from './audit.ts'
import { auditStreamHandlers } from './audit-streams.ts'
import { bulkChangeHandlers } from './bulk-changes.ts'
import { clientHandlers } from './clients.ts'
import { erasureHandlers } from './erasures.ts'
import { eventHandlers } from './events.ts'
import { exportHandlers } from './exports.ts'
import { readHeldData } from './held-data.ts'
import { hostHandlers } from './hosts.ts'
import { importHandlers } from './imports.ts'
import { keyHandlers } from './keys.ts'
import { loginHandlers } from './logins.ts'
import { lookHandlers } from './look.ts'
import { meHandlers } from './me.ts'
import { memberSignInHandlers } from './member-sign-in.ts'
import { memberHandlers } from './members.ts'
import { myColumnHandlers } from './my-columns.ts'
import { noticeHandlers } from './notices.ts'
import { operatorHandlers } from './operators.ts'
import { providerHandlers } from './providers.ts'
import { servedHandlers } from './served-handlers.ts'
import { signInDomainHandlers } from './sign-in-domains.ts'
import { siteDeletionHandlers } from './site-deletion.ts'
import { siteMoveHandlers } from './site-moves.ts'
import { siteHandlers } from './sites.ts'
import { tokenHandlers } from './tokens.ts'
import { usageHandlers } from './usage.ts'
import { userDataHandlers } from './user-data.ts'
import { userSearchHandlers } from './user-search.ts'
import { userHandlers } from './users.ts'
import { webhookHandlers } from './webhooks.ts'

/** The handlers of the Admin API, by procedure. */
export const adminHandlers: AdminHandlers<AdminProcedureName> = {
  ...servedHandlers,
  ...siteHandlers,
  ...siteDeletionHandlers,
  ...siteMoveHandlers,
  ...keyHandlers,
  ...clientHandlers,
  ...providerHandlers,
  ...hostHandlers,
  ...lookHandlers,
  readHeldData,
  ...erasureHandlers,
  ...userHandlers,
  ...userDataHandlers,
  ...userSearchHandlers,
  ...bulkChangeHandlers,
  ...exportHandlers,
  ...importHandlers,
  ...eventHandlers,
  ...webhookHandlers,
  ...loginHandlers,
  ...usageHandlers,
  ...meHandlers,
  ...myColumnHandlers,
  ...memberHandlers,
  ...noticeHandlers,
  ...memberSignInHandlers,
  ...signInDomainHandlers,
  ...operatorHandlers,
  ...tokenHandlers,
  ...auditHandlers,
  ...auditStreamHandlers,
}
