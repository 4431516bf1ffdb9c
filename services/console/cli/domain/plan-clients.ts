import { changesOf } from './changes.ts'
import type { DesiredClient, DesiredSite } from './desired.ts'
import { pathOf, type SiteName } from './site-name.ts'
import { type ActualSite, Impossible, type Plan, type PlanOptions, type Step } from './step.ts'

type ActualClient = ActualSite['clients'][number]

/** Clients go by their names, as their ids are not known before they are created. Without the section, they are left alone. */
export function planClients(
  site: SiteName,
  wanted: DesiredSite['clients'],
  there: ActualSite | undefined,
  { prune }: PlanOptions,
): Plan {
  if (wanted === undefined) return { steps: [], notes: [] }
  const actual = there?.clients ?? []
  const building = Object.entries(wanted).flatMap(([name, client]) => planClient(site, name, client, actual))
  const surplus = actual.filter(({ name }) => !Object.hasOwn(wanted, name))
  const removing = surplus.map(
    ({ name, client_id }): Step => ({
      procedure: 'removeClient',
      kind: 'remove',
      subject: subjectOf(site, name),
      path: `${pathOf(site)}.clients`,
      input: { ...site, client_id },
      changes: [{ field: 'client_id', before: client_id, after: undefined }],
    }),
  )
  const left = surplus.map(({ name }) => `${subjectOf(site, name)} is not in the files; --prune removes it.`)
  return prune ? { steps: [...building, ...removing], notes: [] } : { steps: building, notes: left }
}

function planClient(site: SiteName, name: string, wanted: DesiredClient, actual: readonly ActualClient[]): Step[] {
  const [subject, path] = [subjectOf(site, name), `${pathOf(site)}.clients.${name}`]
  const [there, another] = actual.filter((client) => client.name === name)
  if (another)
    throw new Impossible(
      `${path}: there are several clients of this name. Rename one with "social-login clients change".`,
    )
  const { kind, ...settings } = wanted
  if (!there) {
    const input = { ...site, name, kind, ...settings }
    const changes = changesOf(wanted, undefined)
    return [
      {
        procedure: 'createClient',
        kind: 'create',
        subject,
        path,
        input,
        changes,
        tells_secret: kind === 'confidential',
      },
    ]
  }
  if (there.kind !== kind)
    throw new Impossible(
      `${path}.kind: it is ${there.kind}, and that cannot be changed. Write a client of another name, and remove this one once nobody uses it.`,
    )
  const changes = changesOf(settings, there)
  if (changes.length === 0) return []
  const { client_id, revision } = there
  const input = { ...site, client_id, ...Object.fromEntries(changes.map(({ field, after }) => [field, after])) }
  return [{ procedure: 'changeClient', kind: 'change', subject, path, input, revision, changes }]
}

function subjectOf({ account, site_id }: SiteName, name: string): string {
  return `client ${account}/${site_id}/${name}`
}
