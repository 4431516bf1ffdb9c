import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { SetupError } from '#local'
import { runCheck } from '../../deploy/chart/run-program.ts'
import type { Step } from '../../deploy/local/progress.ts'
import { dryRunInstallations } from './dry-run.ts'
import { measureRelease, type ReleaseFigures } from './measure.ts'
import { type ClusterPrograms, Release, type ReleaseImages } from './release.ts'
import { formatClusterReport, type StepResult } from './report.ts'
import { type ClusterStep, clusterSteps } from './steps.ts'
import { judgeTraffic, takeTrafficCounts } from './traffic.ts'

interface CheckOptions {
  /** Whether the cluster exists only for this check: then it must know all kinds of the chart. */
  readonly isLocal: boolean
  /** Without images, there is only the dry run. */
  readonly images: ReleaseImages | undefined
  /** What the cluster is, in one sentence. */
  readonly cluster: string
  /** The file of the report. */
  readonly report: string | undefined
}

/** Checks a release in a namespace that is created and removed. @throws SetupError with the first step that went wrong */
export async function checkRelease(step: Step, programs: ClusterPrograms, options: CheckOptions): Promise<void> {
  const { images, isLocal } = options
  const namespace = `social-login-check-${process.pid}`
  await step('Namespace', () => createNamespace(programs.kubectl, namespace))
  try {
    await step('Dry run', async (note) =>
      note(await dryRunInstallations(programs, { namespace, complete: isLocal, note })),
    )
    if (images === undefined) return console.log('SKIPPED  the installation: no --registry was given')
    const release = new Release(programs, { namespace, images, isLocal })
    const results: StepResult[] = []
    let figures: ReleaseFigures | undefined
    for (const one of clusterSteps.filter(({ onlyLocally }) => isLocal || !onlyLocally)) {
      results.push(await runStep(step, release, one))
      // Before the pods that were under load are gone.
      if (one.measures) figures = await step('Pods', () => measureRelease(release))
    }
    if (figures === undefined) throw new Error('a step measures')
    printFigures(figures)
    if (options.report !== undefined)
      writeFileSync(options.report, formatClusterReport({ cluster: options.cluster, results, figures }))
  } finally {
    await runCheck(programs.kubectl, ['delete', 'namespace', namespace, '--wait=false'])
  }
}

async function createNamespace(kubectl: string, name: string): Promise<void> {
  // Enforcement applies only to pods; for Deployments and Jobs, Kubernetes only warns.
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  )
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
  await runCheck(kubectl, ['create', '-f', '-'], stringify(manifest))
}

async function runStep(step: Step, release: Release, one: ClusterStep): Promise<StepResult> {
  const startedAt = performance.now()
  try {
    return await step(one.title, async (note) => {
      const result: unknown = await one.run(release, note)
      const summary = typeof result === 'string' ? result : ''
      const seconds = (performance.now() - startedAt) / 1_000
      const counts = one.traffic === 'none' ? undefined : await takeTrafficCounts(release)
      const load = counts && `${counts.calls} calls, ${counts.logins} logins, ${counts.failed} failed`
      note([summary, load].filter((text) => text).join('; '))
      if (counts !== undefined) judgeTraffic(counts, one.traffic === 'losses')
      return { step: one, seconds, summary, counts }
    })
  } catch (error) {
    const where = release.isLocal ? ['--all-namespaces'] : []
    const states = [await release.kubectl('get', 'pods', ...where), await release.kubectl('events', ...where)]
    throw error instanceof SetupError ? new SetupError([error.message, ...states].join('\n\n')) : error
  }
}

function printFigures({ imageMegabytes, services }: ReleaseFigures): void {
  console.log(`\nImage ${imageMegabytes} MB`)
  for (const { service, workingSet, startSeconds } of services)
    console.log(`${service.padEnd(14)} ${workingSet} MiB working set, ready ${startSeconds} s after its start`)
}
