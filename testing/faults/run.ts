import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePrograms, SetupError } from '#local'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { createCaseRunner } from './fault-case.ts'
import { loginOperations } from './login-operations.ts'
import { type OperationResult, runMatrix } from './matrix.ts'
import { formatFaultReport } from './report.ts'
import { openFaultSite } from './site.ts'
import { startFaultStack } from './stack.ts'
import { webApiOperations } from './web-api-operations.ts'

const operations = [...webApiOperations, ...loginOperations]

const participants = [...new Set(operations.flatMap((operation) => operation.participants))]
/** The points that the core skips, so that it takes at most four minutes. */
const coreStride = 5
const coreOperations = ['create_user', 'delete_user']

const usage = `Usage: npm run test:faults [-- --only <operation>] [--participant <service>] [--core] [--report <directory>]

Operations: ${operations.map(({ name }) => name).join(', ')}
Participants: ${participants.join(', ')}

Ends the processes and cuts the connections of each participant at every statement and message of each operation. The exit
code is 1 if an answer, an effect or an invariant is wrong. --core tries some points of ${coreOperations.join(' and ')}.`

const interruption = listenForInterruption()
try {
  const { values } = parseArgs({
    options: {
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
  const selected = values.only ?? (values.core ? coreOperations : operations.map(({ name }) => name))
  const involved = values.participant
  const unknown = [
    ...selected.filter((name) => !operations.some((operation) => operation.name === name)),
    ...(involved ?? []).filter((name) => !participants.includes(name)),
  ]
  if (unknown.length > 0) throw new SetupError(`Unknown: ${unknown.join(', ')}.\n\n${usage}`)
  const results = await runAll(selected, involved, { stride: values.core ? coreStride : 1, report: values.report })
  process.exitCode = results.every(({ violations }) => violations.length === 0) ? 0 : 1
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

async function runAll(
  selected: readonly string[],
  involved: readonly string[] | undefined,
  { stride, report }: { stride: number; report: string | undefined },
): Promise<OperationResult[]> {
  const step = createStep(interruption)
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'faults-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  const faultStack = stack.use(await startFaultStack(directory, { step, interruption }))
  const site = stack.use(await step('Site', () => openFaultSite(faultStack)))
  const runCase = createCaseRunner(faultStack, site)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const results: OperationResult[] = []
  for (const operation of operations.filter(({ name }) => selected.includes(name))) {
    results.push(await runMatrix(operation, { stack: faultStack, runCase }, { participants: involved, stride, print }))
    // After each operation, because the whole takes long.
    if (report !== undefined) writeReport(resolve(root, report), results)
  }
  print(`\n${formatFaultReport(results)}`)
  return results
}

function writeReport(directory: string, results: readonly OperationResult[]): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'faults.md'), formatFaultReport(results))
}
