import { stringify } from 'yaml'
import { clientSettings, siteSettings } from '#admin-api'
import { Desired } from '../domain/desired.ts'
import type { Actual, ActualSite } from '../domain/step.ts'
import { Failure } from '../failure.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the console has, as a file that `apply` reads; in the place of secrets, variables that are needed only where none is kept. */
export function exported(actual: Actual): string {
  const accounts = [...actual].map(([account, { account: told, sites }]): [string, Fields] => {
    const below = [...sites].map(([siteId, site]): [string, Fields] => [siteId, exportedSite(site)])
    return [account, { name: told.name, sites: byName(below) }]
  })
  const desired = Desired.parse({ accounts: byName(accounts) })
  return stringify(desired, { lineWidth: 0, aliasDuplicateObjects: false })
}

function exportedSite({ settings, clients, providers, keys }: ActualSite): Fields {
  const { account, site_id } = settings
  const names = clients.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new Failure(
      'conflict',
      `${account}/${site_id} has several clients called ${twice}, and files tell them by name. Rename one with "social-login clients change".`,
    )
  const setUp = providers.filter(({ login_provider_identifier }) => login_provider_identifier !== null)
  const live = keys.filter(({ revoked_at }) => revoked_at === null)
  const { name: _name, ...clientFields } = clientSettings
  return {
    ...picked(settings, siteSettings),
    providers: Object.fromEntries(setUp.map((one) => [one.provider, exportedProvider(settings, one)])),
    clients: byName(clients.map((one) => [one.name, { kind: one.kind, ...picked(one, clientFields) }])),
    api_keys: [...new Set(live.map(({ name }) => name))].sort(),
  }
}

function exportedProvider(
  { account, site_id }: ActualSite['settings'],
  settings: ActualSite['providers'][number],
): Fields {
  const { provider, client_id, has_client_secret, options, official_account, enabled, client_secret_expires_at } =
    settings
  const secret = (name: string) => ({ from_env: variable(account, site_id, provider, name) })
  const told = Object.entries(options).map(([option, value]) => [option, value === true ? secret(option) : value])
  return {
    client_id,
    ...(has_client_secret && { client_secret: secret('client_secret') }),
    options: Object.fromEntries(told),
    official_account,
    enabled,
    client_secret_expires_at,
  }
}

/** E.g. `DEMO_SHOP_MESSAGING_CLIENT_SECRET`. */
function variable(...parts: readonly string[]): string {
  const name = parts.join('_').replaceAll('-', '_').toUpperCase()
  return /^\d/.test(name) ? `_${name}` : name
}

function picked(from: Fields, fields: object): Fields {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, from[field]]))
}

function byName(entries: readonly [string, Fields][]): Record<string, Fields> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
