import type { Guide, Guides } from '../guide.ts'
import { getProviderNames } from '../provider-names.ts'
import accounts from './accounts.json'
import addresses from './addresses.json'
import clients from './clients.json'
import common from './common.json'
import exports from './exports.json'
import faults from './faults.json'
import keys from './keys.json'
import me from './me.json'
import members from './members.json'
import operators from './operators.json'
import overview from './overview.json'
import providers from './providers.json'
import rejections from './rejections.json'
import settings from './settings.json'
import shell from './shell.json'
import sign_in from './sign-in.json'
import sites from './sites.json'
import tokens from './tokens.json'
import usage from './usage.json'
import users from './users.json'
import webhooks from './webhooks.json'

/** Every message of the pages; the catalogues of other languages have the same keys. */
export const catalogue = {
  common: { ...common, providers: getProviderNames('en') },
  faults,
  rejections,
  shell,
  sign_in,
  me,
  accounts,
  sites,
  overview,
  settings,
  keys,
  addresses,
  clients,
  providers,
  users,
  exports,
  webhooks,
  members,
  operators,
  tokens,
  usage,
}

/** Messages of pages that are rarely opened, loaded with the page. */
export const areas = {
  audit: async () => (await import('./audit.json')).default,
  definition: async () => (await import('./definition.json')).default,
  hosts: async () => (await import('./hosts.json')).default,
  imports: async () => (await import('./imports.json')).default,
  look: async () => (await import('./look.json')).default,
}

/** The Admin API's messages by the names of its reasons; they are loaded with the first error. */
export const loadReasons = async () => (await import('virtual:contract/english-reasons')).reasons

/** What results and errors of requests mean; loaded with the first of them. */
export const loadExplanations = async () => {
  const { requestExplanations, faultReasons, rejectionExplanations } = await import('virtual:contract/english')
  return { results: requestExplanations, fault_reasons: faultReasons, rejections: rejectionExplanations }
}

/** Only those of the provider shown are loaded. */
export const guides: Guides = import.meta.glob<Guide>('./providers/*.json', { import: 'default' })

export const loadConfiguredGuides = async () => (await import('./configured-guides.ts')).configuredGuides
