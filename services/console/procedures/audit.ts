import type { auditProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const audit = {
  listAudit: unwritten,
} satisfies Runs<keyof typeof auditProcedures>
