import { stringify } from 'yaml'
import { clientSettings, type Look, siteSettings, themePictures, webhookSettings } from '#admin-api'
import { CliError } from '../cli-error.ts'
import type { Actual, ActualSite, StoredPictures } from '../domain/actual.ts'
import { Desired } from '../domain/desired.ts'
import { toDesiredSections } from '../domain/sections/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** Formats the current state as a file for `apply`. Secrets are references to variables, needed only where no secret is stored. */
export function formatState(actual: Actual): string {
  const accounts = [...actual].map(([account, { account: settings, sites }]): [string, Fields] => {
    const siteEntries = [...sites].map(([siteId, site]): [string, Fields] => [siteId, exportSite(site)])
    return [account, { name: settings.name, sites: sortByName(siteEntries) }]
  })
  const desired = Desired.parse({ accounts: sortByName(accounts) })
  return stringify(desired, { lineWidth: 0, aliasDuplicateObjects: false })
}

function exportSite(site: ActualSite): Fields {
  const { settings, clients, hosts, look } = site
  const { account, site_id } = settings
  const names = clients.map(({ name }) => name)
  const duplicate = names.find((name, at) => names.indexOf(name) !== at)
  if (duplicate !== undefined)
    throw new CliError(
      'conflict',
      `${account}/${site_id} has several clients with the name ${duplicate}, but files identify clients by name. Rename one with "social-login clients change".`,
    )
  const setUp = site.providers.filter(({ login_provider_identifier }) => login_provider_identifier !== null)
  const activeKeys = site.keys.filter(({ revoked_at }) => revoked_at === null)
  const { name: _name, ...clientFields } = clientSettings
  const { name: _webhookName, ...webhookFields } = webhookSettings
  return {
    ...pickFields(settings, siteSettings),
    providers: Object.fromEntries(setUp.map((one) => [one.provider, exportProvider(settings, one)])),
    clients: sortByName(clients.map((one) => [one.name, { kind: one.kind, ...pickFields(one, clientFields) }])),
    webhooks: sortByName(site.webhooks.map((one) => [one.name, pickFields(one, webhookFields)])),
    api_keys: [...new Set(activeKeys.map(({ name }) => name))].sort(),
    hosts: sortByName(hosts.hosts.map(({ host, purpose }) => [host, { purpose }])),
    ...(!hosts.shared_host && { shared_host: false }),
    ...(look.published !== null && { look: exportLook(look.published, site.pictures) }),
    ...toDesiredSections(site.sections),
  }
}

/** Exports the pictures as data URLs, because IDs are only valid for their site. */
function exportLook({ theme, words }: Look, pictures: StoredPictures): Fields {
  const entries = themePictures.map((name) => [name, pictures.get(theme[name] ?? '')?.picture ?? null])
  return { theme: { ...theme, ...Object.fromEntries(entries) }, words }
}

function exportProvider(
  { account, site_id }: ActualSite['settings'],
  settings: ActualSite['providers'][number],
): Fields {
  const {
    provider,
    definition,
    client_id,
    has_client_secret,
    options,
    official_account,
    enabled,
    client_secret_expires_at,
  } = settings
  const secret = (name: string) => ({ from_env: toVariableName(account, site_id, provider, name) })
  const optionValues = Object.entries(options).map(([option, value]) => [
    option,
    value === true ? secret(option) : value,
  ])
  return {
    ...(definition !== null && { definition }),
    client_id,
    ...(has_client_secret && { client_secret: secret('client_secret') }),
    options: Object.fromEntries(optionValues),
    official_account,
    enabled,
    client_secret_expires_at,
  }
}

/** Example: `DEMO_SHOP_MESSAGING_CLIENT_SECRET`. */
function toVariableName(...parts: readonly string[]): string {
  const name = parts.join('_').replaceAll('-', '_').toUpperCase()
  return /^\d/.test(name) ? `_${name}` : name
}

function pickFields(from: Fields, fields: object): Fields {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, from[field]]))
}

function sortByName(entries: readonly [string, Fields][]): Record<string, Fields> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
