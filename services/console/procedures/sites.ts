import type { siteProcedures } from '#admin-api'
import { type Runs, unwritten } from './procedure.ts'
import { rehearseAllowedAddresses } from './rehearse-allowed-addresses.ts'

export const sites = {
  listAccounts: unwritten,
  createAccount: unwritten,
  changeAccount: unwritten,
  listSites: unwritten,
  createSite: unwritten,
  readSite: unwritten,
  changeSite: unwritten,
  rehearseAllowedAddresses,
} satisfies Runs<keyof typeof siteProcedures>
