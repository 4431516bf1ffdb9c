import type { Guide, Guides } from '../guide.ts'
import { getProviderNames } from '../provider-names.ts'
import common from './common.json'
import faults from './faults.json'
import shell from './shell.json'
import sign_in from './sign-in.json'

/** The messages of every page; the catalogues of other languages have the same keys. */
export const catalogue = {
  common: { ...common, providers: getProviderNames('en') },
  faults,
  shell,
  sign_in,
}

/** Messages of pages, loaded with the page. */
export const areas = {
  account_page: async () => (await import('./account-page.json')).default,
  accounts: async () => (await import('./accounts.json')).default,
  addresses: async () => (await import('./addresses.json')).default,
  audit: async () => (await import('./audit.json')).default,
  audit_streams: async () => (await import('./audit-streams.json')).default,
  bulk_changes: async () => (await import('./bulk-changes.json')).default,
  clients: async () => (await import('./clients.json')).default,
  definition: async () => (await import('./definition.json')).default,
  erasures: async () => (await import('./erasures.json')).default,
  event_types: async () => (await import('./event-types.json')).default,
  exports: async () => (await import('./exports.json')).default,
  held_data: async () => (await import('./held-data.json')).default,
  hosts: async () => (await import('./hosts.json')).default,
  imports: async () => (await import('./imports.json')).default,
  keys: async () => (await import('./keys.json')).default,
  logins: async () => (await import('./logins.json')).default,
  look: async () => (await import('./look.json')).default,
  me: async () => (await import('./me.json')).default,
  member_sign_in: async () => (await import('./member-sign-in.json')).default,
  members: async () => (await import('./members.json')).default,
  notices: async () => (await import('./notices.json')).default,
  operators: async () => (await import('./operators.json')).default,
  overview: async () => (await import('./overview.json')).default,
  providers: async () => (await import('./providers.json')).default,
  settings: async () => (await import('./settings.json')).default,
  site_deletion: async () => (await import('./site-deletion.json')).default,
  site_move: async () => (await import('./site-move.json')).default,
  sites: async () => (await import('./sites.json')).default,
  terms: async () => (await import('./terms.json')).default,
  tokens: async () => (await import('./tokens.json')).default,
  usage: async () => (await import('./usage.json')).default,
  user_filter: async () => (await import('./user-filter.json')).default,
  users: async () => (await import('./users.json')).default,
  webhooks: async () => (await import('./webhooks.json')).default,
}

/** What results and errors of requests mean; loaded with the first of them. */
export const loadExplanations = async () => {
  const { requestExplanations, faultReasons, loginExplanations } = await import('virtual:contract/english')
  return { results: requestExplanations, fault_reasons: faultReasons, logins: loginExplanations }
}

/** Only those of the provider shown are loaded. */
export const guides: Guides = import.meta.glob<Guide>('./providers/*.json', { import: 'default' })

export const loadConfiguredGuides = async () => (await import('./configured-guides.ts')).configuredGuides
