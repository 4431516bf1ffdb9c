import type { SiteReference } from '#admin-api'
import type { ActualSite } from './actual.ts'
import { listChanges } from './changes.ts'
import type { DesiredClient, DesiredSite } from './desired.ts'
import { withRemovals } from './removals.ts'
import { pathOf } from './site-path.ts'
import { type Plan, PlanError, type PlanOptions, type PlanStep } from './step.ts'

type ActualClient = ActualSite['clients'][number]

/** Plans clients by name, because their IDs are unknown before creation. Without the section, clients stay unchanged. */
export function planClients(
  site: SiteReference,
  desired: DesiredSite['clients'],
  actualSite: ActualSite | undefined,
  options: PlanOptions,
): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const actual = actualSite?.clients ?? []
  const building = Object.entries(desired).flatMap(([name, client]) => planClient(site, name, client, actual))
  const surplus = actual.filter(({ name }) => !Object.hasOwn(desired, name))
  const removing = surplus.map(
    ({ name, client_id }): PlanStep => ({
      procedure: 'removeClient',
      kind: 'remove',
      subject: subjectOf(site, name),
      path: `${pathOf(site)}.clients`,
      input: { ...site, client_id },
      changes: [{ field: 'client_id', before: client_id, after: undefined }],
    }),
  )
  return withRemovals(building, removing, options)
}

function planClient(
  site: SiteReference,
  name: string,
  desired: DesiredClient,
  actual: readonly ActualClient[],
): PlanStep[] {
  const [subject, path] = [subjectOf(site, name), `${pathOf(site)}.clients.${name}`]
  const [current, duplicate] = actual.filter((client) => client.name === name)
  if (duplicate)
    throw new PlanError(`${path}: several clients have this name. Rename one with "social-login clients change".`)
  const { kind, ...settings } = desired
  if (!current) {
    const input = { ...site, name, kind, ...settings }
    const changes = listChanges(desired, undefined)
    return [
      {
        procedure: 'createClient',
        kind: 'create',
        subject,
        path,
        input,
        changes,
        returns_secret: kind === 'confidential',
      },
    ]
  }
  if (current.kind !== kind)
    throw new PlanError(
      `${path}.kind: the client is ${current.kind}, and its kind cannot be changed. Add a client with another name, and remove this one when it is no longer used.`,
    )
  const changes = listChanges(settings, current)
  if (changes.length === 0) return []
  const { client_id, revision } = current
  const input = { ...site, client_id, ...Object.fromEntries(changes.map(({ field, after }) => [field, after])) }
  return [{ procedure: 'changeClient', kind: 'change', subject, path, input, revision, changes }]
}

function subjectOf({ account, site_id }: SiteReference, name: string): string {
  return `client ${account}/${site_id}/${name}`
}
