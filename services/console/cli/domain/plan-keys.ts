import type { SiteReference } from '#admin-api'
import type { ActualSite } from './actual.ts'
import { withRemovals } from './removals.ts'
import { pathOf } from './site-path.ts'
import type { Plan, PlanOptions, PlanStep } from './step.ts'

/** Plans one active key for each name. Without a list, keys stay unchanged. */
export function planKeys(
  site: SiteReference,
  desired: readonly string[] | undefined,
  actual: ActualSite | undefined,
  options: PlanOptions,
): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const activeKeys = actual?.keys.filter(({ revoked_at }) => revoked_at === null) ?? []
  const subjectOf = (name: string) => `API key ${site.account}/${site.site_id}/${name}`
  const path = `${pathOf(site)}.api_keys`
  const missing = [...new Set(desired)].filter((name) => !activeKeys.some((key) => key.name === name))
  const surplus = activeKeys.filter(({ name }) => !desired.includes(name))
  const issuing = missing.map(
    (name): PlanStep => ({
      procedure: 'issueApiKey',
      kind: 'create',
      subject: subjectOf(name),
      path,
      input: { ...site, name },
      changes: [],
      returns_secret: true,
    }),
  )
  const revoking = surplus.map(
    ({ name, api_key_id, last_four, calls_last_hour }): PlanStep => ({
      procedure: 'revokeApiKey',
      kind: 'remove',
      subject: subjectOf(name),
      path,
      input: { ...site, api_key_id },
      changes: [
        { field: 'last_four', before: last_four, after: undefined },
        { field: 'calls_last_hour', before: calls_last_hour, after: undefined },
      ],
    }),
  )
  return withRemovals(issuing, revoking, options)
}
