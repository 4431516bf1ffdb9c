import { type AdminReasonName, adminReasons } from '../../../../../libs/contracts/admin/reasons.ts'

/** As the service says them. */
export const reasons: Readonly<Record<AdminReasonName, string>> = adminReasons
