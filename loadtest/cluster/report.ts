import { cpus, totalmem } from 'node:os'
import type { ReleaseFigures } from './measure.ts'
import type { ClusterStep } from './steps.ts'
import type { TrafficCounts } from './traffic.ts'

/** What came of a step. */
export interface StepResult {
  readonly step: ClusterStep
  readonly seconds: number
  readonly summary: string
  readonly counts: TrafficCounts | undefined
}

interface ClusterReport {
  /** What the cluster is, in one sentence. */
  readonly cluster: string
  readonly results: readonly StepResult[]
  readonly figures: ReleaseFigures
}

/** The page docs/operate/cluster-report.md. */
export function formatClusterReport({ cluster, results, figures }: ClusterReport): string {
  const counted = results.flatMap(({ counts }) => (counts === undefined ? [] : [counts]))
  const total = (field: 'calls' | 'logins' | 'failed' | 'repeated') =>
    counted.reduce((sum, counts) => sum + counts[field], 0).toLocaleString('en-US')
  const repeated = counted.some((counts) => counts.repeated > 0)
    ? `${total('repeated')} had to be repeated, all of them while pods were killed without a shutdown.`
    : 'None had to be repeated.'
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
  return `# Cluster report
What \`npm run check:cluster\` measured in a real cluster: each step, with the requests that were answered meanwhile. A run of it writes this page.
[Test a release in a cluster](sign-and-test-a-release.md#test-a-release-in-a-cluster) describes the check.

One run on ${formatDate(new Date())}, in ${(seconds / 60).toFixed(1)} minutes, on ${describeMachine()}. ${cluster}

**${total('calls')} calls of the Web API and ${total('logins')} logins, ${total('failed')} failed.** ${repeated}

## Steps

Customers call the Web API and end users log in during the steps with a number of calls. Six customers use their connections again, and four open one for each request. A login is seven requests.

- **Repeated**: calls and logins that got no answer at first, because a pod was killed, and were answered within ten seconds of repeats with the same \`Idempotency-Key\`.
- **Slowest**: the time of the slowest other call or login.

| Step | Time | Calls | Logins | Failed | Repeated | Slowest | Result |
|---|--:|--:|--:|--:|--:|--:|---|
${results.map(formatRow).join('\n')}

## Pods

The image has ${figures.imageMegabytes} MB. Memory is the working set of the largest pod of a service after the steps under load; the start is the time from the start of the process until the slowest pod was
ready, in whole seconds.

| Service | Working set | Start |
|---|--:|--:|
${figures.services.map(({ service, workingSet, startSeconds }) => `| ${service} | ${workingSet} MiB | ${startSeconds} s |`).join('\n')}

## Limits
- One node: what happens when a node fails was not tried.
- The servers of dev-deps ran without TLS, users of NATS and replicas.
- CPU times and the slowest requests are those of a machine that also runs the control plane, the servers and the traffic.
`
}

function formatRow({ step, seconds, summary, counts }: StepResult): string {
  const cells = counts
    ? [
        ...[counts.calls, counts.logins, counts.failed, counts.repeated].map((count) => count.toLocaleString('en-US')),
        `${(counts.slowest_ms / 1_000).toFixed(2)} s`,
      ]
    : ['', '', '', '', '']
  return `| ${[step.title, `${seconds.toFixed(1)} s`, ...cells, summary].join(' | ')} |`
}

function formatDate(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
}

function describeMachine(): string {
  const [first] = cpus()
  return `${cpus().length} × ${first?.model.replace(/ Processor.*| CPU @.*/, '')} with ${Math.round(totalmem() / 2 ** 30)} GiB`
}
