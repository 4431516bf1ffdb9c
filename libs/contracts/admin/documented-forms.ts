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
  account_page: 'changeAccountPage',
  terms: 'changeTerms',
  user_search: 'changeUserSearch',
  metadata_search: 'changeMetadataSearch',
  inactivity_rule: 'changeInactivityRule',
  member: 'inviteMember',
  token: 'issueToken',
  notice_channel: 'addNoticeChannel',
  audit_stream: 'createAuditStream',
  member_sign_in: 'saveMemberSignIn',
  sign_in_domain: 'addSignInDomain',
  bulk_change: 'requestBulkChange',
  export: 'requestExport',
  import: 'startImport',
} as const

export type DocumentedForm = keyof typeof documentedForms
