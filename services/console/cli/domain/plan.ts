import { changesOf } from './changes.ts'
import type { Desired, DesiredSite } from './desired.ts'
import { planClients } from './plan-clients.ts'
import { planKeys } from './plan-keys.ts'
import { planProviders } from './plan-providers.ts'
import { pathOf, type SiteName } from './site-name.ts'
import {
  type Actual,
  type ActualAccount,
  type ActualSite,
  Impossible,
  type Plan,
  type PlanOptions,
  type Step,
} from './step.ts'

/**
 * What is to be done so that all is as the files want it; nothing twice.
 *
 * @throws Impossible
 */
export function planOf(desired: Desired, actual: Actual, options: PlanOptions): Plan {
  const parts = Object.entries(desired.accounts).flatMap(([account, { name, sites = {} }]) => {
    const there = actual.get(account)
    const steps = planAccount(account, name, there)
    const below = Object.entries(sites).map(([site_id, site]) =>
      planSite({ account, site_id }, site, there?.sites.get(site_id), options),
    )
    return [{ steps, notes: [] }, ...below]
  })
  const steps = parts.flatMap((part) => part.steps)
  const [removing, building] = [
    steps.filter(({ kind }) => kind === 'remove'),
    steps.filter(({ kind }) => kind !== 'remove'),
  ]
  return { steps: [...building, ...removing], notes: parts.flatMap(({ notes }) => notes) }
}

function planAccount(account: string, name: string | undefined, there: ActualAccount | undefined): Step[] {
  const [subject, path] = [`account ${account}`, `accounts.${account}`]
  if (!there) {
    if (name === undefined)
      throw new Impossible(`${path}: there is no such account that you may see. To have it created, give its name.`)
    return [
      {
        procedure: 'createAccount',
        kind: 'create',
        subject,
        path,
        input: { account, name },
        changes: changesOf({ name }, undefined),
      },
    ]
  }
  const changes = changesOf({ name }, there.account)
  if (name === undefined || changes.length === 0) return []
  const { revision } = there.account
  return [{ procedure: 'changeAccount', kind: 'change', subject, path, input: { account, name }, revision, changes }]
}

function planSite(name: SiteName, site: DesiredSite, there: ActualSite | undefined, options: PlanOptions): Plan {
  const parts: Plan[] = [
    { steps: planSettings(name, site, there), notes: [] },
    planProviders(name, site.providers ?? {}, there, options),
    planClients(name, site.clients, there, options),
    planKeys(name, site.api_keys, there, options),
  ]
  return { steps: parts.flatMap(({ steps }) => steps), notes: parts.flatMap(({ notes }) => notes) }
}

function planSettings(site_name: SiteName, site: DesiredSite, there: ActualSite | undefined): Step[] {
  const { providers: _providers, clients: _clients, api_keys: _api_keys, ...settings } = site
  const [subject, path] = [`site ${site_name.account}/${site_name.site_id}`, pathOf(site_name)]
  const changes = changesOf(settings, there?.settings)
  if (!there) {
    const { name, kind, ...rest } = settings
    if (name === undefined || kind === undefined)
      throw new Impossible(`${path}: there is no such site. To have it created, give its name and its kind.`)
    return [
      { procedure: 'createSite', kind: 'create', subject, path, input: { ...site_name, name, kind, ...rest }, changes },
    ]
  }
  if (changes.length === 0) return []
  const input = { ...site_name, ...Object.fromEntries(changes.map(({ field, after }) => [field, after])) }
  return [{ procedure: 'changeSite', kind: 'change', subject, path, input, revision: there.settings.revision, changes }]
}
