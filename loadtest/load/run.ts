import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms } from '#local'
import type { Step } from '../../deploy/local/progress.ts'
import { prepare } from '../seed/prepare.ts'
import type { Prepared } from '../seed/prepared.ts'
import { pinToCpus } from '../toolkit/pin-to-cpus.ts'
import { readChildPids, readServerPids } from '../toolkit/stack/server-pids.ts'
import { type LoadTestStack, startLoadTestStack } from '../toolkit/stack/start.ts'
import { type Comparison, compare, readCounts } from './agreement.ts'
import { checkGrowth, type Growth, watchGrowth } from './growth.ts'
import { runScript, type ScriptResult, thresholdCrossed } from './k6.ts'
import { describePlannedRate } from './planned-rate.ts'
import type { Report } from './report.ts'
import { type LoadScenario, type LoadScenarioName, scenarios } from './scenarios.ts'
import { findCrossedThresholds } from './summary.ts'

export interface Run {
  /** The program. */
  readonly k6: string
  readonly name: LoadScenarioName
  readonly minutes: number
  /** CPUs of the product, of this machine; all by default. */
  readonly cores?: number
  readonly step: Step
  readonly interruption: AbortSignal
}

/** Runs a scenario against a stack that is started for it. */
export async function runLocal(run: Run): Promise<Report> {
  const { name, step, interruption, cores } = run
  const scenario: LoadScenario = scenarios[name]
  const { gateways } = scenario
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'load-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) => {
    return ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') })
  })
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways, step, interruption }))
  const prepared = await step('Sites', async (note) => {
    const created = await prepare(serviceStack, scenario, note)
    note(`${created.sites.length} sites, ${scenario.users} users`)
    return created
  })
  const pids = [process.pid, ...serviceStack.members().map(({ pid }) => pid), ...listServerPids(directory)]
  const k6Cpus = cores === undefined ? undefined : reserveCpus(cores, pids)

  const before = await readCounts(serviceStack.members())
  const { ended, problems, grown } = await runMeanwhile(run, scenario, serviceStack, { prepared, cpus: k6Cpus })
  const compared =
    ended.summary === undefined || scenario.loses_counts
      ? []
      : compare(before, await readCounts(serviceStack.members()), ended.summary)
  const planned =
    cores === undefined || ended.summary === undefined
      ? undefined
      : describePlannedRate(ended.summary, { cores, shared_cpu_seconds: k6Cpus === undefined ? ended.cpu_seconds : 0 })
  return reportOf(run, scenario, ended, {
    compared,
    problems,
    ...(grown !== undefined && { grown }),
    ...(planned !== undefined && { planned }),
  })
}

/** Runs a scenario against given URLs, without the changes it makes to its own stack. */
export async function runRemote(run: Run, prepared: Prepared): Promise<Report> {
  const { name, minutes, k6, interruption: signal } = run
  const scenario: LoadScenario = scenarios[name]
  const ended = await runScript(k6, { script: scenario.script, prepared, minutes, signal })
  return reportOf(run, scenario, ended, { compared: [], problems: [] })
}

async function runMeanwhile(
  { k6, minutes, interruption }: Run,
  { script, meanwhile, watches_growth }: LoadScenario,
  serviceStack: LoadTestStack,
  k6Options: { readonly prepared: Prepared; readonly cpus: string | undefined },
): Promise<{ ended: ScriptResult; problems: string[]; grown: readonly Growth[] | undefined }> {
  const done = new AbortController()
  const happenings = meanwhile?.(serviceStack, {
    print: (line) => process.stdout.write(`\n${line}\n`),
    signal: done.signal,
  }).then(
    () => [],
    (error: unknown) => [`What was to happen meanwhile did not: ${error}`],
  )
  const growth = watches_growth && watchGrowth(serviceStack.members, { minutes, signal: done.signal })
  const ended = await runScript(k6, { script, minutes, signal: interruption, ...k6Options })
  done.abort()
  return { ended, problems: (await happenings) ?? [], grown: await growth }
}

function listServerPids(directory: string): number[] {
  const { postgres, redis, nats } = readServerPids(directory)
  return [postgres, ...readChildPids(postgres), redis, nats]
}

/** Pins the product to the first CPUs, when it has started: all processes at once would be late on one CPU. Returns those of k6 in the notation of taskset(1), or undefined if it has none of its own. */
function reserveCpus(cores: number, pids: readonly number[]): string | undefined {
  const count = cpus().length
  if (cores >= count) return undefined
  pinToCpus(`0-${cores - 1}`, pids)
  return `${cores}-${count - 1}`
}

/** Findings in addition to k6's. */
interface Found {
  readonly compared: readonly Comparison[]
  readonly problems: readonly string[]
  readonly grown?: readonly Growth[]
  readonly planned?: string
}

function reportOf(
  { name, minutes }: Run,
  { shows, judge, summarize, breaks }: LoadScenario,
  { exit_code, summary }: ScriptResult,
  { compared, problems, grown, planned }: Found,
): Report {
  const expected = breaks ? [0, thresholdCrossed] : [0]
  const failures = [
    ...problems,
    ...(expected.includes(exit_code) || exit_code === thresholdCrossed
      ? []
      : [`k6 ended with exit code ${exit_code}.`]),
    ...(summary === undefined
      ? ['k6 wrote no summary.']
      : [...(breaks ? [] : findCrossedThresholds(summary)), ...(judge?.(summary) ?? [])]),
    ...(grown === undefined ? [] : checkGrowth(grown)),
    ...compared.filter(({ agrees }) => !agrees).map(({ what }) => `k6 and the gateways do not agree about ${what}.`),
  ]
  const found = summary === undefined ? undefined : summarize?.(summary)
  const findings = [found, planned].filter((finding) => finding !== undefined)
  return {
    name,
    shows,
    minutes,
    metrics: summary?.metrics ?? {},
    compared,
    ...(grown !== undefined && { grown }),
    ...(findings.length > 0 && { found: findings.join(' ') }),
    failures,
  }
}
