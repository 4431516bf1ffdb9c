import { changesOf, isSame } from './changes.ts'
import type { Desired, DesiredSite } from './desired.ts'
import { planClients } from './plan-clients.ts'
import { planKeys } from './plan-keys.ts'
import { planProviders } from './plan-providers.ts'
import { pathOf, type SiteName } from './site-name.ts'
import {
  type Actual,
  type ActualAccount,
  type ActualSite,
  type Change,
  Impossible,
  type Plan,
  type PlanOptions,
  type Step,
  type StepOf,
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
    const below = Object.entries(sites).map(([siteId, site]) =>
      planSite({ account, site_id: siteId }, site, there?.sites.get(siteId), options),
    )
    const own: Plan = { steps, notes: [] }
    return [own, ...below]
  })
  const steps = parts.flatMap((part) => part.steps)
  const [removing, staying] = [
    steps.filter(({ kind }) => kind === 'remove'),
    steps.filter(({ kind }) => kind !== 'remove'),
  ]
  const [building, restricting] = [
    staying.filter((step) => !restrictsCallbacks(step)),
    staying.filter((step) => restrictsCallbacks(step)),
  ]
  return {
    steps: [...building, ...removing, ...restricting],
    notes: [...parts.flatMap(({ notes }) => notes), ...noteOf(unsentIn(parts))],
  }
}

function unsentIn(parts: readonly Plan[]): number {
  return parts.reduce((sum, { unsent_secrets = 0 }) => sum + unsent_secrets, 0)
}

/** One note for all secrets. */
function noteOf(unsent: number): string[] {
  if (unsent === 0) return []
  const secrets = unsent === 1 ? '1 secret is already stored and was' : `${unsent} secrets are already stored and were`
  return [
    `${secrets} not compared, because stored secrets cannot be read. --update-secrets sends the values from the files.`,
  ]
}

/** A change of a site that is refused until its callback addresses satisfy it. */
function restrictsCallbacks({ procedure, changes }: Step): boolean {
  return procedure === 'changeSite' && changes.some((change) => !isSame(permissive(change), change.after))
}

/** The value of a site's field that allows every callback address that is allowed before or after the change. */
function permissive({ field, before, after }: Change): unknown {
  if (field === 'kind') return after === 'production' ? before : after
  if (field !== 'domains' || !Array.isArray(before) || !Array.isArray(after)) return after
  return before.length === 0 || after.length === 0 ? [] : [...new Set([...before, ...after])]
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

const callbackFields = new Set(['redirect_uris', 'post_logout_redirect_uris'])

function planSite(name: SiteName, site: DesiredSite, there: ActualSite | undefined, options: PlanOptions): Plan {
  const clients = planClients(name, site.clients, there, options)
  const movesCallbacks = clients.steps.some(({ changes }) => changes.some(({ field }) => callbackFields.has(field)))
  const parts: Plan[] = [
    { steps: planSettings(name, site, there, movesCallbacks), notes: [] },
    planProviders(name, site.providers ?? {}, there, options),
    clients,
    planKeys(name, site.api_keys, there, options),
  ]
  return {
    steps: parts.flatMap(({ steps }) => steps),
    notes: parts.flatMap(({ notes }) => notes),
    unsent_secrets: unsentIn(parts),
  }
}

/** @param movesCallbacks whether clients of the site get other callback addresses in this plan */
function planSettings(
  siteName: SiteName,
  site: DesiredSite,
  there: ActualSite | undefined,
  movesCallbacks: boolean,
): Step[] {
  const { providers: _providers, clients: _clients, api_keys: _api_keys, ...settings } = site
  const [subject, path] = [`site ${siteName.account}/${siteName.site_id}`, pathOf(siteName)]
  const changes = changesOf(settings, there?.settings)
  if (!there) {
    const { name, kind, ...rest } = settings
    if (name === undefined || kind === undefined)
      throw new Impossible(`${path}: there is no such site. To have it created, give its name and its kind.`)
    return [
      { procedure: 'createSite', kind: 'create', subject, path, input: { ...siteName, name, kind, ...rest }, changes },
    ]
  }
  const stepOf = (some: readonly Change[]): StepOf<'changeSite'> => {
    const input = { ...siteName, ...Object.fromEntries(some.map(({ field, after }) => [field, after])) }
    return { procedure: 'changeSite', kind: 'change', subject, path, input, changes: some }
  }
  const [first, last] = movesCallbacks ? phasesOf(changes) : [[], changes]
  const { revision } = there.settings
  if (first.length === 0) return last.length === 0 ? [] : [{ ...stepOf(last), revision }]
  // The revision of the second step is known only after the first one.
  return [{ ...stepOf(first), revision }, ...(last.length === 0 ? [] : [stepOf(last)])]
}

/**
 * The changes of a site, in two phases if they both extend and restrict its callback addresses: clients change between the two, when
 * their old and new addresses are allowed.
 */
function phasesOf(changes: readonly Change[]): [first: Change[], last: Change[]] {
  const first = changes
    .map((change) => ({ ...change, after: permissive(change) }))
    .filter(({ before, after }) => !isSame(before, after))
  const extendsCallbacks = first.some(({ field }) => field === 'kind' || field === 'domains')
  if (!extendsCallbacks) return [[], [...changes]]
  const last = changes
    .map((change) => ({ ...change, before: permissive(change) }))
    .filter(({ before, after }) => !isSame(before, after))
  return [first, last]
}
