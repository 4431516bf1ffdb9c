import type { providerProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const providers = {
  listProviderSettings: unwritten,
  readProviderSettings: unwritten,
  saveProviderSettings: unwritten,
} satisfies Runs<keyof typeof providerProcedures>
