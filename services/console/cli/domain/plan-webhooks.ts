import type { SiteReference } from '#admin-api'
import type { ActualSite } from './actual.ts'
import { listChanges } from './changes.ts'
import type { DesiredSite, DesiredWebhook } from './desired.ts'
import { withRemovals } from './removals.ts'
import { pathOf } from './site-path.ts'
import { type Plan, PlanError, type PlanOptions, type PlanStep } from './step.ts'

/** Plans webhooks by name. Without the section, webhooks stay unchanged. */
export function planWebhooks(
  site: SiteReference,
  desired: DesiredSite['webhooks'],
  actualSite: ActualSite | undefined,
  options: PlanOptions,
): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const actual = actualSite?.webhooks ?? []
  const building = Object.entries(desired).flatMap(([name, webhook]) => {
    return planWebhook(
      site,
      { name, ...webhook },
      actual.find((one) => one.name === name),
    )
  })
  const surplus = actual.filter(({ name }) => !Object.hasOwn(desired, name))
  const removing = surplus.map(
    ({ name, endpoint_id }): PlanStep => ({
      procedure: 'removeWebhook',
      kind: 'remove',
      subject: subjectOf(site, name),
      path: `${pathOf(site)}.webhooks`,
      input: { ...site, endpoint_id },
      changes: [{ field: 'endpoint_id', before: endpoint_id, after: undefined }],
    }),
  )
  return withRemovals(building, removing, options)
}

function planWebhook(
  site: SiteReference,
  { name, ...desired }: DesiredWebhook & { readonly name: string },
  current: ActualSite['webhooks'][number] | undefined,
): PlanStep[] {
  const [subject, path] = [subjectOf(site, name), `${pathOf(site)}.webhooks.${name}`]
  if (!current) {
    const input = { ...site, name, ...desired }
    const returnsSecret = (desired.signature ?? 'v1') === 'v1'
    const changes = listChanges(desired, undefined)
    return [
      { procedure: 'createWebhook', kind: 'create', subject, path, input, changes, returns_secret: returnsSecret },
    ]
  }
  const { signature = current.signature, ...settings } = desired
  if (signature !== current.signature)
    throw new PlanError(
      `${path}.signature: the webhook signs with ${current.signature}, which cannot be changed. Add a webhook with another name, and remove this one when it is no longer used.`,
    )
  const changes = listChanges(settings, current)
  if (changes.length === 0) return []
  const { endpoint_id, revision } = current
  const input = { ...site, endpoint_id, ...Object.fromEntries(changes.map(({ field, after }) => [field, after])) }
  return [{ procedure: 'changeWebhook', kind: 'change', subject, path, input, revision, changes }]
}

function subjectOf({ account, site_id }: SiteReference, name: string): string {
  return `webhook ${account}/${site_id}/${name}`
}
