import { pathOf, type SiteName } from './site-name.ts'
import type { ActualSite, Plan, PlanOptions, Step } from './step.ts'

/** Keys go by their names: there is to be a live one of each. Without a list, keys are left alone. */
export function planKeys(
  site: SiteName,
  wanted: readonly string[] | undefined,
  there: ActualSite | undefined,
  { prune }: PlanOptions,
): Plan {
  if (wanted === undefined) return { steps: [], notes: [] }
  const live = there?.keys.filter(({ revoked_at }) => revoked_at === null) ?? []
  const subjectOf = (name: string) => `API key ${site.account}/${site.site_id}/${name}`
  const path = `${pathOf(site)}.api_keys`
  const missing = [...new Set(wanted)].filter((name) => !live.some((key) => key.name === name))
  const surplus = live.filter(({ name }) => !wanted.includes(name))
  const issuing = missing.map(
    (name): Step => ({
      procedure: 'issueApiKey',
      kind: 'create',
      subject: subjectOf(name),
      path,
      input: { ...site, name },
      changes: [],
      tells_secret: true,
    }),
  )
  const revoking = surplus.map(
    ({ name, api_key_id, last_four, calls_last_hour }): Step => ({
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
  const left = surplus.map(({ name }) => `${subjectOf(name)} is not in the files; --prune revokes it.`)
  return prune ? { steps: [...issuing, ...revoking], notes: [] } : { steps: issuing, notes: left }
}
