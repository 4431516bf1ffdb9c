import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { root } from '../../deploy/local/settings.ts'
import { listMissingCalls, readCalls, selectFiles } from './select-files.ts'

const usage = `Usage: npm run test:one-process [-- --all | --select]

Runs tests with all services in one process, which call each other directly: the files of files.json, which together cause every
call between services. Fails if a call is missing. --all runs every test of services. --select does, and writes files.json.`

const selectionFile = join(import.meta.dirname, 'files.json')
/** A file costs at least this, because its worker sets up sites for it. Our choice. */
const leastSeconds = 0.5

const { values: options } = parseArgs({
  options: { all: { type: 'boolean' }, select: { type: 'boolean' }, help: { type: 'boolean' } },
})
if (options.help) {
  console.log(usage)
  process.exit()
}
const isWhole = options.all === true || options.select === true
const directory = await mkdtemp(join(tmpdir(), 'social-login-one-process-'))
const callsFile = join(directory, 'calls')
const resultsFile = join(directory, 'results.json')
let exitCode = await runTests()
if (options.select && exitCode === 0) await writeSelection()
if (exitCode === 0) {
  const missing = listMissingCalls(readCalls(callsFile))
  if (missing.length > 0) {
    console.error(`No selected test causes these calls:\n  ${missing.join('\n  ')}
Write one, or select the files again: npm run test:one-process -- --select`)
    exitCode = 1
  }
}
await rm(directory, { recursive: true })
// The channel to the parent would keep the process.
process.exit(exitCode)

async function runTests(): Promise<number> {
  const files = isWhole ? ['services'] : z.array(z.string()).parse(JSON.parse(await readFile(selectionFile, 'utf8')))
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`]
  const child = spawn('npm', ['test', '--silent', '--', ...files, ...reporters], {
    cwd: root,
    env: { ...process.env, TEST_ONE_PROCESS: 'yes', TEST_CALLS_FILE: callsFile },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  listenForInterruption().addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 1
}

async function writeSelection(): Promise<void> {
  const Results = z.object({
    testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
  })
  const { testResults } = Results.parse(JSON.parse(await readFile(resultsFile, 'utf8')))
  const seconds = new Map(
    testResults.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1_000]),
  )
  const files = selectFiles(readCalls(callsFile), (file) => Math.max(leastSeconds, seconds.get(file) ?? 0))
  await writeFile(selectionFile, `${JSON.stringify(files, undefined, 2)}\n`)
  console.log(`${files.length} of ${testResults.length} files cause every call.`)
}
