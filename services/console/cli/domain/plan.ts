import type { SiteReference } from '#admin-api'
import type { Actual, ActualAccount, ActualSite } from './actual.ts'
import { isEqualUnordered, listChanges } from './changes.ts'
import { type Desired, DesiredSettings, type DesiredSite } from './desired.ts'
import { planClients } from './plan-clients.ts'
import { planHosts, planSharedHost } from './plan-hosts.ts'
import { planKeys } from './plan-keys.ts'
import { planLook } from './plan-look.ts'
import { planProviders } from './plan-providers.ts'
import { planWebhooks } from './plan-webhooks.ts'
import { planSections } from './sections/index.ts'
import { pathOf } from './site-path.ts'
import { type Change, type Plan, PlanError, type PlanOptions, type PlanStep, type StepOf } from './step.ts'

/**
 * Creates the steps that change the actual state to the desired state.
 *
 * @throws PlanError
 */
export function createPlan(desired: Desired, actual: Actual, options: PlanOptions): Plan {
  const parts = Object.entries(desired.accounts).flatMap(([account, { name, sites = {} }]) => {
    const actualAccount = actual.get(account)
    const steps = planAccount(account, name, actualAccount)
    const sitePlans = Object.entries(sites).map(([siteId, site]) =>
      planSite({ account, site_id: siteId }, site, actualAccount?.sites.get(siteId), options),
    )
    const own: Plan = { steps, notes: [] }
    return [own, ...sitePlans]
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
    notes: [...parts.flatMap(({ notes }) => notes), ...describeUnsentSecrets(countUnsentSecrets(parts))],
  }
}

function countUnsentSecrets(parts: readonly Plan[]): number {
  return parts.reduce((sum, { unsent_secrets = 0 }) => sum + unsent_secrets, 0)
}

/** Creates one note for all unsent secrets. */
function describeUnsentSecrets(unsent: number): string[] {
  if (unsent === 0) return []
  const secrets = unsent === 1 ? '1 secret is already stored and was' : `${unsent} secrets are already stored and were`
  return [
    `${secrets} not compared, because stored secrets cannot be read. --update-secrets sends the values from the files.`,
  ]
}

/** Whether a change of a site is rejected until all redirect URIs match it. */
function restrictsCallbacks({ procedure, changes }: PlanStep): boolean {
  return (
    procedure === 'changeSite' && changes.some((change) => !isEqualUnordered(combinePermissive(change), change.after))
  )
}

/** Returns the value that allows every redirect URI that is allowed before or after the change. */
function combinePermissive({ field, before, after }: Change): unknown {
  if (field === 'kind') return after === 'production' ? before : after
  if (field !== 'domains' || !Array.isArray(before) || !Array.isArray(after)) return after
  return before.length === 0 || after.length === 0 ? [] : [...new Set([...before, ...after])]
}

function planAccount(account: string, name: string | undefined, actual: ActualAccount | undefined): PlanStep[] {
  const [subject, path] = [`account ${account}`, `accounts.${account}`]
  if (!actual) {
    if (name === undefined)
      throw new PlanError(
        `${path}: the account does not exist, or the token has no access to it. To create it, add its name.`,
      )
    return [
      {
        procedure: 'createAccount',
        kind: 'create',
        subject,
        path,
        input: { account, name },
        changes: listChanges({ name }, undefined),
      },
    ]
  }
  const changes = listChanges({ name }, actual.account)
  if (name === undefined || changes.length === 0) return []
  const { revision } = actual.account
  return [{ procedure: 'changeAccount', kind: 'change', subject, path, input: { account, name }, revision, changes }]
}

const callbackFields = new Set(['redirect_uris', 'post_logout_redirect_uris'])

function planSite(name: SiteReference, site: DesiredSite, actual: ActualSite | undefined, options: PlanOptions): Plan {
  const clients = planClients(name, site.clients, actual, options)
  const movesCallbacks = clients.steps.some(({ changes }) => changes.some(({ field }) => callbackFields.has(field)))
  const parts: Plan[] = [
    { steps: planSettings(name, site, actual, movesCallbacks), notes: [] },
    planProviders(name, site.providers ?? {}, actual, options),
    clients,
    planKeys(name, site.api_keys, actual, options),
    planWebhooks(name, site.webhooks, actual, options),
    planHosts(name, site.hosts, actual, options),
    planSharedHost(name, site, actual, options),
    planLook(name, site.look, actual),
    { steps: planSections(name, site, actual?.sections), notes: [] },
  ]
  return {
    steps: parts.flatMap(({ steps }) => steps),
    notes: parts.flatMap(({ notes }) => notes),
    unsent_secrets: countUnsentSecrets(parts),
  }
}

/** @param movesCallbacks whether the plan changes redirect URIs of the site's clients */
function planSettings(
  siteName: SiteReference,
  site: DesiredSite,
  actual: ActualSite | undefined,
  movesCallbacks: boolean,
): PlanStep[] {
  const settings = DesiredSettings.parse(site)
  const [subject, path] = [`site ${siteName.account}/${siteName.site_id}`, pathOf(siteName)]
  const changes = listChanges(settings, actual?.settings)
  if (!actual) {
    const { name, kind, ...rest } = settings
    if (name === undefined || kind === undefined)
      throw new PlanError(`${path}: the site does not exist. To create it, add its name and kind.`)
    return [
      { procedure: 'createSite', kind: 'create', subject, path, input: { ...siteName, name, kind, ...rest }, changes },
    ]
  }
  const createStep = (some: readonly Change[]): StepOf<'changeSite'> => {
    const input = { ...siteName, ...Object.fromEntries(some.map(({ field, after }) => [field, after])) }
    return { procedure: 'changeSite', kind: 'change', subject, path, input, changes: some }
  }
  const [first, last] = movesCallbacks ? splitPhases(changes) : [[], changes]
  const { revision } = actual.settings
  if (first.length === 0) return last.length === 0 ? [] : [{ ...createStep(last), revision }]
  // The revision of the second step is known only after the first one.
  return [{ ...createStep(first), revision }, ...(last.length === 0 ? [] : [createStep(last)])]
}

/**
 * Splits the changes of a site into two phases if they both extend and restrict its redirect URIs. Clients change between the phases,
 * when their old and new addresses are allowed.
 */
function splitPhases(changes: readonly Change[]): [first: Change[], last: Change[]] {
  const first = changes
    .map((change) => ({ ...change, after: combinePermissive(change) }))
    .filter(({ before, after }) => !isEqualUnordered(before, after))
  const extendsCallbacks = first.some(({ field }) => field === 'kind' || field === 'domains')
  if (!extendsCallbacks) return [[], [...changes]]
  const last = changes
    .map((change) => ({ ...change, before: combinePermissive(change) }))
    .filter(({ before, after }) => !isEqualUnordered(before, after))
  return [first, last]
}
