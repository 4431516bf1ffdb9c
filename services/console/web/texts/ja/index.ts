import type { catalogue as en, areas as enAreas, loadExplanations as loadEnglishExplanations } from '../en/index.ts'
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

export const catalogue: typeof en = {
  common: { ...common, providers: getProviderNames('ja') },
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

export const areas: typeof enAreas = {
  audit: async () => (await import('./audit.json')).default,
  definition: async () => (await import('./definition.json')).default,
  hosts: async () => (await import('./hosts.json')).default,
  imports: async () => (await import('./imports.json')).default,
  look: async () => (await import('./look.json')).default,
}

export const loadExplanations: typeof loadEnglishExplanations = async () =>
  (await import('./explanations.ts')).explanations

export const loadReasons = async () => (await import('./reasons.json')).default

/** Only those of the provider shown are loaded. */
export const guides: Guides = import.meta.glob<Guide>('./providers/*.json', { import: 'default' })

export const loadConfiguredGuides = async () => (await import('./configured-guides.ts')).configuredGuides
