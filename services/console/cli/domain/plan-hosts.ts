import type { SiteReference } from '#admin-api'
import type { ActualSite } from './actual.ts'
import { listChanges } from './changes.ts'
import type { DesiredSite } from './desired.ts'
import { withRemovals } from './removals.ts'
import { pathOf } from './site-path.ts'
import { type Plan, PlanError, type PlanOptions, type PlanStep } from './step.ts'

type ActualHost = ActualSite['hosts']['hosts'][number]

/** Plans hosts by name. Without the section, hosts stay unchanged. */
export function planHosts(
  site: SiteReference,
  desired: DesiredSite['hosts'],
  actualSite: ActualSite | undefined,
  options: PlanOptions,
): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const actual = actualSite?.hosts.hosts ?? []
  const find = (name: string) => actual.find(({ host }) => host === name)
  const claiming = Object.entries(desired).flatMap(([host, { purpose }]) =>
    planHost(site, { host, purpose }, find(host)),
  )
  const surplus = actual.filter(({ host }) => !Object.hasOwn(desired, host))
  const removing = surplus.map(
    ({ host, purpose }): PlanStep => ({
      procedure: 'removeHost',
      kind: 'remove',
      subject: subjectOf(site, host),
      path: `${pathOf(site)}.hosts`,
      input: { ...site, host },
      changes: [{ field: 'purpose', before: purpose, after: undefined }],
    }),
  )
  const { steps, notes } = withRemovals(claiming, removing, options)
  const inactive = Object.keys(desired).filter((host) => find(host)?.state !== 'active')
  return { steps, notes: [...notes, ...inactive.map((host) => describeInactive(site, host))] }
}

function planHost(
  site: SiteReference,
  { host, purpose }: Pick<ActualHost, 'host' | 'purpose'>,
  current: ActualHost | undefined,
): PlanStep[] {
  const path = `${pathOf(site)}.hosts.${host}`
  if (current === undefined) {
    const input = { ...site, host, purpose }
    const changes = listChanges({ purpose }, undefined)
    return [{ procedure: 'addHost', kind: 'create', subject: subjectOf(site, host), path, input, changes }]
  }
  if (current.purpose === purpose) return []
  throw new PlanError(
    `${path}.purpose: the purpose of the host is ${current.purpose}, which cannot be changed. Remove the host first with "social-login hosts remove", then apply again.`,
  )
}

function describeInactive(site: SiteReference, host: string): string {
  return `${subjectOf(site, host)} is not active until it is proven. "social-login hosts list" shows how to prove it.`
}

/** Plans whether the site is served on the shared host. It can leave that host only for another one that is active. */
export function planSharedHost(
  site: SiteReference,
  { shared_host, hosts }: Pick<DesiredSite, 'shared_host' | 'hosts'>,
  actualSite: ActualSite | undefined,
  { prune }: PlanOptions,
): Plan {
  const changes = listChanges({ shared_host }, { shared_host: actualSite?.hosts.shared_host ?? true })
  if (shared_host === undefined || changes.length === 0) return { steps: [], notes: [] }
  const subject = `shared host ${site.account}/${site.site_id}`
  if (actualSite === undefined || (!shared_host && !hasLoginHost(actualSite, prune ? hosts : undefined)))
    return {
      steps: [],
      notes: [
        `${subject} stays on: a login host of the site must be proven first. "social-login hosts list" shows how; then apply again.`,
      ],
    }
  const step: PlanStep = {
    procedure: 'changeSharedHost',
    kind: 'change',
    subject,
    path: `${pathOf(site)}.shared_host`,
    input: { ...site, shared_host },
    revision: actualSite.hosts.revision,
    changes,
  }
  return { steps: [step], notes: [] }
}

/**
 * Whether the site has an active login host besides the shared one.
 *
 * @param remaining the only hosts that the plan does not remove; undefined: all
 */
function hasLoginHost({ hosts: { hosts, pattern_host } }: ActualSite, remaining: DesiredSite['hosts']): boolean {
  const isActive = ({ host, purpose, state }: ActualHost) =>
    purpose === 'login' && state === 'active' && (remaining === undefined || Object.hasOwn(remaining, host))
  return pattern_host !== null || hosts.some(isActive)
}

function subjectOf({ account, site_id }: SiteReference, host: string): string {
  return `host ${account}/${site_id}/${host}`
}
