import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { root } from '../../deploy/local/settings.ts'
import { findChangedFiles } from './changed-files.ts'
import { selectCommand } from './select-steps.ts'
import { type NpmCommand, type VerdictStep, verdict } from './steps.ts'

const usage = `Usage: npm run check:submission [-- --report <file>]
       npm run check:release [-- --report <file>]

Runs what decides about a submission, or everything for a release, and ends at the first group of steps with a failure.
Checks of the chart, quick starts and load scenarios run whole if files that they use changed since CI_BASE (default: where
this branch left origin/main). --report writes the table of the results to a file.`

interface Result {
  readonly title: string
  readonly command: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly seconds: number
}

const { values: options } = parseArgs({
  options: { release: { type: 'boolean', default: false }, report: { type: 'string' }, help: { type: 'boolean' } },
})
if (options.help) {
  console.log(usage)
  process.exit()
}

const interruption = listenForInterruption()
const occasion = { isRelease: options.release, changedFiles: findChangedFiles(root) }
const results: Result[] = []
for (const group of verdict) {
  const selected = group.flatMap((step) => {
    const command = selectCommand(step, occasion)
    return command === undefined ? [] : [{ ...step, command }]
  })
  const ended = await Promise.all(selected.map((step) => run(step, selected.length === 1)))
  results.push(...ended)
  if (interruption.aborted || ended.some(({ outcome }) => outcome === 'failed')) break
}
const report = formatReport()
console.log(`\n${report}`)
if (options.report !== undefined) writeFileSync(resolve(root, options.report), `${report}\n`)
process.exit(results.some(({ outcome }) => outcome === 'failed') || interruption.aborted ? 1 : 0)

type SelectedStep = Pick<VerdictStep, 'title' | 'requiresOneOf'> & { readonly command: NpmCommand }

/** Runs a step. One with a terminal of its own prints while it runs, others when they have ended. */
async function run(step: SelectedStep, isAlone: boolean): Promise<Result> {
  const [script, ...rest] = step.command
  const command = ['npm', 'run', script, ...rest].join(' ')
  const { title, requiresOneOf } = step
  if (requiresOneOf !== undefined && !requiresOneOf.some(isInstalled)) {
    console.log(`SKIPPED  ${title}: this machine has none of ${requiresOneOf.join(', ')}.`)
    return { title, command, outcome: 'skipped', seconds: 0 }
  }
  console.log(`\n▶ ${title}: ${command}`)
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', script, ...rest], {
    cwd: root,
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
  })
  let output = ''
  const append = (text: string) => {
    output += text
  }
  child.stdout?.setEncoding('utf8').on('data', append)
  child.stderr?.setEncoding('utf8').on('data', append)
  const interrupt = () => child.kill('SIGTERM')
  interruption.addEventListener('abort', interrupt)
  const [code] = await once(child, 'close')
  interruption.removeEventListener('abort', interrupt)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  if (!isAlone) console.log(`\n◀ ${title}\n${output}`)
  return { title, command, outcome: code === 0 ? 'passed' : 'failed', seconds }
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, program)))
}

function formatReport(): string {
  const total = results.reduce((sum, { seconds }) => sum + seconds, 0)
  return [
    '| Step | Command | Result | Seconds |',
    '|---|---|---|--:|',
    ...results.map(({ title, command, outcome, seconds }) => `| ${title} | \`${command}\` | ${outcome} | ${seconds} |`),
    '',
    `${results.filter(({ outcome }) => outcome === 'passed').length} passed, ${results.filter(({ outcome }) => outcome === 'failed').length} failed; ${total} seconds of all steps.`,
  ].join('\n')
}
