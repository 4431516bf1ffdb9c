import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePrograms, SetupError } from '#local'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { citus } from './citus/run-citus.ts'
import { crashes } from './crashes/run-crashes.ts'
import { dependencies, edges } from './dependencies/run-dependencies.ts'
import { failovers } from './failovers/run-failovers.ts'
import { histories } from './histories/run-histories.ts'
import { limits } from './limits/run-limits.ts'
import { overload } from './overload/run-overload.ts'
import type { FaultPart, PartReport } from './part.ts'
import { races } from './races/run-races.ts'
import { readReplicas } from './read-replicas/run-read-replicas.ts'
import { redisCluster } from './redis-cluster/run-redis-cluster.ts'
import { restarts } from './restarts/run-restarts.ts'

const parts: readonly FaultPart[] = [
  crashes,
  dependencies,
  edges,
  failovers,
  redisCluster,
  citus,
  readReplicas,
  restarts,
  histories,
  races,
  limits,
  overload,
]

const usage = `Usage: npm run test:faults [-- --part <part>] [--only <case>] [--participant <service>] [--core] [--report <directory>]

Starts the product on this machine, makes its processes, connections and servers fail, and checks that it keeps its promises.
The exit code is 1 if a promise was broken. --part, --only and --participant can be repeated. --core tries samples.

${parts.map(({ name, description, cases }) => `${name}: ${description}\n  ${cases.join(', ')}`).join('\n\n')}`

const interruption = listenForInterruption()
try {
  const { values } = parseArgs({
    options: {
      part: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      participant: { type: 'string', multiple: true },
      core: { type: 'boolean', default: false },
      report: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit()
  }
  const plan = select(values)
  const reports = new Map<FaultPart, PartReport>()
  const save = () => {
    if (values.report !== undefined) writeReport(resolve(root, values.report), [...reports.values()])
  }
  for (const [part, selected] of plan) {
    const report = await runPart(part, {
      selected,
      core: values.core,
      participants: values.participant,
      save(unfinished) {
        reports.set(part, unfinished)
        save()
      },
    })
    reports.set(part, report)
    save()
  }
  console.log(`\n${formatReports([...reports.values()])}`)
  process.exitCode = [...reports.values()].every(({ violations }) => violations.length === 0) ? 0 : 1
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

interface Selection {
  readonly part?: readonly string[] | undefined
  readonly only?: readonly string[] | undefined
  readonly core: boolean
}

/** @throws SetupError for the name of an unknown part or case */
function select({ part, only, core }: Selection): Map<FaultPart, readonly string[]> {
  const known = [...parts.map(({ name }) => name), ...parts.flatMap(({ cases }) => cases)]
  const unknown = [...(part ?? []), ...(only ?? [])].filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new SetupError(`Unknown: ${unknown.join(', ')}.\n\n${usage}`)
  const plan = new Map<FaultPart, readonly string[]>()
  for (const candidate of parts) {
    if (part !== undefined && !part.includes(candidate.name)) continue
    const selected = candidate.cases.filter(
      (name) => (only ?? [name]).includes(name) && (!core || only !== undefined || candidate.core.includes(name)),
    )
    if (selected.length > 0) plan.set(candidate, selected)
  }
  return plan
}

async function runPart(
  part: FaultPart,
  options: Pick<Parameters<FaultPart['run']>[0], 'selected' | 'participants' | 'core' | 'save'>,
): Promise<PartReport> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), `faults-${part.name}-`))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const step = createStep(interruption)
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats', 'chromium'], { note, log: join(directory, 'install.log') }),
  )
  const print = (line: string) => process.stdout.write(`${line}\n`)
  return await part.run({ ...options, directory, step, interruption, print })
}

function formatReports(reports: readonly PartReport[]): string {
  const violations = reports.flatMap((report) => report.violations)
  return [
    '# Faults',
    ...reports.map(({ text }) => text),
    violations.length === 0 ? 'No violations.' : `${violations.length} violations:`,
    ...violations.map((violation) => `- ${violation}`),
    '',
  ].join('\n\n')
}

function writeReport(directory: string, reports: readonly PartReport[]): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'faults.md'), formatReports(reports))
}
