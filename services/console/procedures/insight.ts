import type { insightProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const insight = {
  readLoginInsight: unwritten,
  readCallInsight: unwritten,
  explainRequest: unwritten,
  readProviderHealth: unwritten,
} satisfies Runs<keyof typeof insightProcedures>
