import type { AdminProcedureName } from './index.ts'

/**
 * The forms of the console whose fields link to the documentation (`docs/use/fields.md`), each with the procedure that has
 * its fields.
 */
export const documentedForms = {
  account: 'createAccount',
  site: 'createSite',
  client: 'createClient',
  provider: 'saveProviderSettings',
  webhook: 'createWebhook',
  host: 'addHost',
  look: 'saveLook',
  member: 'inviteMember',
  token: 'issueToken',
  export: 'requestExport',
  import: 'startImport',
} as const satisfies Readonly<Record<string, AdminProcedureName>>

export type DocumentedForm = keyof typeof documentedForms
