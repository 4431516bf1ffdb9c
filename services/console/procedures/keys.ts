import type { keyProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const keys = {
  listApiKeys: unwritten,
  issueApiKey: unwritten,
  revokeApiKey: unwritten,
} satisfies Runs<keyof typeof keyProcedures>
