import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { ensurePrograms, requireProgram, SetupError } from '#local'
import { listenForInterruption } from '../../../deploy/local/interruption.ts'
import { createStep } from '../../../deploy/local/progress.ts'
import { machineFacts } from '../../toolkit/machine-facts.ts'
import { watchStolenTime } from '../../toolkit/stolen-time.ts'
import { openBench } from './open-bench.ts'
import { type BenchOptions, describeUsage, readBenchOptions } from './options.ts'
import { benchParts } from './parts/index.ts'
import type { BenchReport } from './report/bench-report.ts'
import { formatRun, type RunFacts } from './report/format-run.ts'
import { writePage } from './report/page.ts'

/**
 * `npm run bench`: how much CPU time a request, a login and a start of the product take, in ratios to other ways to do the same
 * work that are measured in the same run.
 */
const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const options = readBenchOptions(process.argv.slice(2), benchParts)
  if (options === undefined) console.log(describeUsage(benchParts))
  else await runAll(options)
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error(`${z.prettifyError(error)}\n\n${describeUsage(benchParts)}`)
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

async function runAll({ size, parts, page, quick }: BenchOptions): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const postgres = await step('Programs', async (note) => {
    await ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') })
    return (await requireProgram('postgres')).version
  })
  const beganAt = performance.now()
  const stolenShare = watchStolenTime()
  const bench = await openBench(size, { directory, stack, step, interruption })
  const reports: BenchReport[] = []
  let complete = false
  const describe = (): RunFacts => ({
    machine: machineFacts(postgres),
    command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
    date: new Date(),
    minutes: (performance.now() - beganAt) / 60_000,
    stolen_share: stolenShare(),
    size,
    quick,
    complete,
  })
  try {
    for (const part of parts) reports.push(...(await part.run(bench)))
    complete = true
  } finally {
    // Also what was measured before a failure.
    if (reports.length > 0) process.stdout.write(`\n${formatRun(describe(), reports)}\n`)
  }
  if (page) writePage(describe(), reports)
}
