import { type Document, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SetupError } from '#local'
import { exampleInstallations, render } from '../../deploy/chart/installations.ts'
import { runCheck } from '../../deploy/chart/run-program.ts'
import type { Note } from '../../deploy/local/progress.ts'
import type { ClusterPrograms } from './release.ts'

const Kind = z.object({ apiVersion: z.string(), kind: z.string() })

interface DryRunOptions {
  readonly namespace: string
  /** Whether the cluster must know all kinds. */
  readonly complete: boolean
  readonly note: Note
}

/**
 * Has the API server judge every installation of ci/; a warning fails too. Creates the service accounts of pods. Removes priority
 * classes, which each cluster defines itself.
 *
 * @returns a summary with the kinds that the cluster does not define
 * @throws SetupError with what the API server rejects
 */
export async function dryRunInstallations(
  { kubectl, helm }: Pick<ClusterPrograms, 'kubectl' | 'helm'>,
  { namespace, complete, note }: DryRunOptions,
): Promise<string> {
  const known = new Set((await runCheck(kubectl, ['api-resources', '--no-headers'])).split('\n').map(kindOf))
  const leftOut = new Set<string>()
  const apply = (objects: readonly Document[], ...how: readonly string[]) =>
    runCheck(
      kubectl,
      ['apply', '--server-side', '--warnings-as-errors', ...how, '-f', '-'],
      objects.map(String).join('---\n'),
    )
  for (const installation of exampleInstallations) {
    note(installation)
    const objects = parseAllDocuments(
      await render(helm, installation, { namespace, set: 'defaults.priorityClassName=' }),
    ).filter((document) => {
      const object = Kind.safeParse(document.toJSON())
      if (!object.success) return false
      const kind = `${object.data.apiVersion} ${object.data.kind}`
      if (!known.has(kind)) leftOut.add(kind)
      return known.has(kind)
    })
    await apply(objects.filter((document) => document.get('kind') === 'ServiceAccount'))
    await apply(objects, '--dry-run=server', '--output=jsonpath={.nothing}')
  }
  const skipped = [...leftOut].sort().join(', ')
  if (complete && skipped !== '') throw new SetupError(`The cluster does not know ${skipped}.`)
  return `${exampleInstallations.length} installations${skipped && `; skipped ${skipped}, which the cluster does not know`}`
}

/** Parses a row of `api-resources`: names, short names, apiVersion, namespaced, kind. */
function kindOf(row: string): string {
  const words = row.trim().split(/\s+/)
  return `${words.at(-3)} ${words.at(-1)}`
}
