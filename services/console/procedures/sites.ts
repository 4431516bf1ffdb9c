import type { siteProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'

export const sites = {
  listAccounts: unwritten,
  createAccount: unwritten,
  changeAccount: unwritten,
  listSites: unwritten,
  createSite: unwritten,
  readSite: unwritten,
  changeSite: unwritten,
  rehearseAllowedAddresses: unwritten,
} satisfies Runs<keyof typeof siteProcedures>
