import type { clientProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const clients = {
  listClients: unwritten,
  createClient: unwritten,
  readClient: unwritten,
  changeClient: unwritten,
  removeClient: unwritten,
  issueClientSecret: unwritten,
  revokeClientSecret: unwritten,
} satisfies Runs<keyof typeof clientProcedures>
