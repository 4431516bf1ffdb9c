import type { exportProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const exportsOfUsers = {
  listExports: unwritten,
  requestExport: unwritten,
} satisfies Runs<keyof typeof exportProcedures>
