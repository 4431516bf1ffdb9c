import { randomUUID } from 'node:crypto'
import { waitForRecovery } from '../invariants.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { type ReplicatedStack, startReplicatedStack } from '../replicas/replicated-stack.ts'
import { type FaultSite, openFaultSite } from '../site.ts'
import { buildChecker, checkHistories } from './check-histories.ts'
import { repeatWithinMs } from './customer.ts'
import type { History } from './history.ts'
import { formatHistories } from './history-report.ts'
import { startRandomFaults } from './random-faults.ts'
import { resolveHistories } from './resolve-histories.ts'
import { runHistory, type UnresolvedHistory } from './run-history.ts'

const seeds = 1_000
const coreSeeds = 40
const atOnce = 8
const progressEvery = 100

/** Random concurrent operations, checked for linearizability. */
export const histories: FaultPart = {
  name: 'histories',
  description: `checks ${seeds} histories of random concurrent operations for linearizability, under random faults`,
  cases: ['random_histories'],
  core: ['random_histories'],
  run,
}

async function run({ directory, core, step, interruption, print }: PartOptions): Promise<PartReport> {
  const checker = await step('Checker', buildChecker)
  await using stack = await startReplicatedStack(directory, { step, interruption })
  await using site = await step('Site', () => openFaultSite(stack))
  const count = core ? coreSeeds : seeds
  const { unresolved, faults } = await runHistories({ stack, site, count, print })
  const state = await waitForRecovery(stack.databases)
  const resolved = await resolveHistories(stack.databases, unresolved)
  const verdicts = await checkHistories(checker, resolved)
  const suspect = verdicts.filter(({ verdict }) => verdict !== 'linearizable')
  for (const { seed } of suspect) print(describe(resolved.find((history) => history.seed === seed)))
  const operations = unresolved.flatMap((history) => history.operations)
  return formatHistories({
    histories: count,
    linearizable: verdicts.length - suspect.length,
    operations: operations.length,
    unknown: operations.filter(({ output }) => output === undefined).length,
    worstMs: Math.max(0, ...operations.flatMap(({ output, ms }) => (output === undefined ? [] : [ms]))),
    faults,
    violations: [
      ...suspect.map(({ seed, verdict }) => `history ${seed}: ${verdict}`),
      ...unresolved
        .filter(({ unanswered }) => unanswered > 0)
        .map(
          ({ seed, unanswered }) =>
            `history ${seed}: ${unanswered} without a definite answer in ${repeatWithinMs / 1_000} s`,
        ),
      ...state.violations.map(({ invariant, row }) => `${invariant}: ${row}`),
    ],
  })
}

interface RunOptions {
  readonly stack: ReplicatedStack
  readonly site: FaultSite
  readonly count: number
  readonly print: (line: string) => void
}

/** Runs histories side by side, on users of their own, while faults are caused. */
async function runHistories({ stack, site, count, print }: RunOptions) {
  await using faults = startRandomFaults(stack)
  const unresolved: UnresolvedHistory[] = []
  let next = 1
  const work = async () => {
    while (next <= count) {
      stack.interruption.throwIfAborted()
      const seed = next++
      const tag = `h${seed}${randomUUID().slice(0, 8)}`
      unresolved.push(await runHistory(site, seed, tag))
      if (unresolved.length % progressEvery === 0) print(`${unresolved.length} of ${count} histories`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { unresolved, faults: faults.counts }
}

/** One line for each operation, in the order of their calls. */
function describe(history: History | undefined): string {
  const sorted = [...(history?.operations ?? [])].sort((a, b) => a.call - b.call)
  const start = sorted[0]?.call ?? 0
  const ms = (time: number | undefined) => (time === undefined ? '?' : ((time - start) / 1_000_000).toFixed(1))
  const lines = sorted.map(
    ({ client, call, return: end, input, output }) =>
      `  ${client}: ${ms(call)}–${ms(end)} ${JSON.stringify(input)} → ${JSON.stringify(output) ?? 'unknown'}`,
  )
  return [`history ${history?.seed}:`, ...lines].join('\n')
}
