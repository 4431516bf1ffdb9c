import { adminAccountPageProcedures } from './account-page.ts'
import { auditProcedures } from './audit.ts'
import { auditStreamProcedures } from './audit-streams.ts'
import { bulkChangeProcedures } from './bulk-changes.ts'
import { clientProcedures } from './clients.ts'
import { adminErasureProcedures } from './erasures.ts'
import { adminEventProcedures } from './events.ts'
import { exportProcedures } from './exports.ts'
import { heldDataProcedures } from './held-data.ts'
import { adminHostProcedures } from './hosts.ts'
import { userImportProcedures } from './imports.ts'
import { inactivityRuleProcedures } from './inactivity-rule.ts'
import { keyProcedures } from './keys.ts'
import { loginProcedures } from './logins.ts'
import { adminLookProcedures } from './look.ts'
import { memberSignInProcedures } from './member-sign-in.ts'
import { memberProcedures } from './members.ts'
import { metadataSchemaProcedures } from './metadata-schemas.ts'
import { metadataSearchProcedures } from './metadata-search.ts'
import { myColumnProcedures } from './my-columns.ts'
import { noticeProcedures } from './notices.ts'
import { operatorProcedures } from './operators.ts'
import { providerProcedures } from './providers.ts'
import { siteDeletionProcedures } from './site-deletion.ts'
import { siteMoveProcedures } from './site-moves.ts'
import { adminSiteProcedures } from './sites.ts'
import { adminTermsProcedures } from './terms.ts'
import { usageProcedures } from './usage.ts'
import { userDataProcedures } from './user-data.ts'
import { userSearchProcedures } from './user-search.ts'
import { adminUserProcedures } from './users.ts'
import { adminWebhookProcedures } from './webhooks.ts'

/** The procedures of the Admin API, by name. */
export const adminApi = {
  ...adminSiteProcedures,
  ...siteDeletionProcedures,
  ...siteMoveProcedures,
  ...keyProcedures,
  ...clientProcedures,
  ...providerProcedures,
  ...adminHostProcedures,
  ...adminLookProcedures,
  ...adminAccountPageProcedures,
  ...adminTermsProcedures,
  ...metadataSchemaProcedures,
  ...metadataSearchProcedures,
  ...adminUserProcedures,
  ...userDataProcedures,
  ...heldDataProcedures,
  ...adminErasureProcedures,
  ...userSearchProcedures,
  ...inactivityRuleProcedures,
  ...bulkChangeProcedures,
  ...exportProcedures,
  ...userImportProcedures,
  ...adminEventProcedures,
  ...adminWebhookProcedures,
  ...loginProcedures,
  ...usageProcedures,
  ...memberProcedures,
  ...myColumnProcedures,
  ...noticeProcedures,
  ...memberSignInProcedures,
  ...operatorProcedures,
  ...auditProcedures,
  ...auditStreamProcedures,
} as const

export type AdminApi = typeof adminApi
export type AdminProcedureName = keyof AdminApi

/** The forms of the console whose fields are documented, by `form` of their procedures. */
export type DocumentedForm = {
  [N in AdminProcedureName]: AdminApi[N] extends { form: infer Form extends string } ? Form : never
}[AdminProcedureName]

export * from './account-page.ts'
export * from './audit.ts'
export * from './audit-streams.ts'
export * from './bulk-changes.ts'
export * from './clients.ts'
export * from './erasures.ts'
export * from './events.ts'
export * from './explanations.ts'
export * from './exports.ts'
export * from './field-help.ts'
export * from './held-data.ts'
export * from './hosts.ts'
export * from './imports.ts'
export * from './inactivity-rule.ts'
export * from './keys.ts'
export * from './login-explanations.ts'
export * from './logins.ts'
export * from './look.ts'
export * from './member-sign-in.ts'
export * from './members.ts'
export * from './metadata-schemas.ts'
export * from './metadata-search.ts'
export * from './my-columns.ts'
export * from './notices.ts'
export * from './operators.ts'
export * from './procedure.ts'
export * from './providers.ts'
export * from './reasons.ts'
export * from './rejection-explanations.ts'
export * from './rejections.ts'
export * from './sign-in.ts'
export * from './site-deletion.ts'
export * from './site-moves.ts'
export * from './sites.ts'
export * from './terms.ts'
export * from './usage.ts'
export * from './user-columns.ts'
export * from './user-data.ts'
export * from './user-search.ts'
export * from './users.ts'
export * from './webhooks.ts'
