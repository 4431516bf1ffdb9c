import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { SetupError } from '#local'
import { listenForInterruption } from '../deploy/local/interruption.ts'
import { createStep } from '../deploy/local/progress.ts'
import { root } from '../deploy/local/settings.ts'
import { findOrBuild } from '../deploy/tools/find-or-build.ts'
import { formatReport, type Report } from './load/report.ts'
import { type Run, runLocal, runRemote } from './load/run.ts'
import { isScenario, type LoadScenarioName, scenarios, shortSet } from './load/scenarios.ts'
import { Sites } from './seed/prepared.ts'
import { watchStolenTime } from './toolkit/stolen-time.ts'

const usage = `Usage: npm run load -- <scenario> [--minutes 5] [--cores 1] [--report folder]
       npm run load -- <scenario> --web-api https://api.example.com --keys-file sites.json [--auth https://login.example.com]

Scenarios:
${Object.entries(scenarios)
  .map(([name, { minutes, shows }]) => `  ${name.padEnd(12)}${String(minutes).padStart(4)} min  ${shows}`)
  .join('\n')}
  ${'ci'.padEnd(12)}   4 min  the short set: ${shortSet.map(({ name }) => name).join(', ')}

Without an address the product is started on this machine, on ports of its own, and removed at the end. The exit code is 1 when
something that a scenario promises does not hold. ${'`node loadtest/seed.ts`'} makes sites and a file of their keys elsewhere.
--cores limits the product to so many CPUs, leaves the others to k6, and compares the limit with ${'`npm run plan`'}.`

const Options = z.object({
  minutes: z.coerce
    .number()
    .positive()
    .max(24 * 60)
    .optional(),
  cores: z.coerce.number().int().positive().max(cpus().length).optional(),
  report: z.string().min(1).optional(),
  'web-api': z.url().optional(),
  auth: z.url().optional(),
  'keys-file': z.string().min(1).optional(),
})

/**
 * If the host takes more than this share of the machine's CPU time, a failure is due to the machine, not the product, and the
 * scenario is repeated a limited number of times. Our choice.
 */
const stolenShareLimit = 0.05
const mostAttempts = 3

const interruption = listenForInterruption()
try {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: text,
      cores: text,
      report: text,
      'web-api': text,
      auth: text,
      'keys-file': text,
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit()
  }
  const [name = ''] = positionals
  const selected = name === 'ci' ? shortSet : isScenario(name) ? [{ name }] : undefined
  if (selected === undefined || positionals.length !== 1) {
    throw new SetupError(name === '' ? usage : `There is no scenario ${name}.\n\n${usage}`)
  }
  const options = Options.parse(values)
  if (options.cores !== undefined && name !== 'breakpoint')
    throw new SetupError('--cores is an option of breakpoint only.')
  process.exitCode = (await runAll(selected, options)) ? 0 : 1
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error(`${z.prettifyError(error)}\n\n${usage}`)
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

async function runAll(
  selected: readonly { readonly name: LoadScenarioName; readonly minutes?: number }[],
  options: z.output<typeof Options>,
): Promise<boolean> {
  const step = createStep(interruption)
  const k6 = await step('k6', (note) => findOrBuild('k6', { note }))
  const reports: Report[] = []
  for (const { name, minutes } of selected) {
    const run: Run = {
      k6,
      name,
      minutes: options.minutes ?? minutes ?? scenarios[name].minutes,
      ...(options.cores !== undefined && { cores: options.cores }),
      step,
      interruption,
    }
    const report = await measure(run, options)
    reports.push(report)
    if (options.report !== undefined) writeReport(options.report, report)
  }
  const broken = reports.filter(({ failures }) => failures.length > 0)
  for (const { name } of broken) console.error(`${name} failed its checks.`)
  return broken.length === 0
}

/** Runs a scenario and prints its report. Repeats it if it failed while the host took CPU time from this machine. */
async function measure(run: Run, options: z.output<typeof Options>): Promise<Report> {
  for (let attempt = 1; ; attempt++) {
    const stolenShare = watchStolenTime()
    const report = await runOne(run, options)
    const share = stolenShare()
    interruption.throwIfAborted()
    process.stdout.write(`${formatReport(report)}\n`)
    if (report.failures.length === 0 || share <= stolenShareLimit || attempt === mostAttempts) return report
    const percent = Math.round(share * 100)
    console.log(
      `\nThe host took ${percent} % of this machine's CPU time during the run. ${run.name} is measured again.`,
    )
  }
}

function runOne(run: Run, { 'web-api': webApi, auth, 'keys-file': keysFile }: z.output<typeof Options>) {
  if (webApi === undefined) return runLocal(run)
  if (keysFile === undefined) throw new SetupError(`--web-api needs --keys-file.\n\n${usage}`)
  const sites = Sites.parse(JSON.parse(readFileSync(keysFile, 'utf8')))
  return runRemote(run, { web_api: webApi.replace(/\/$/, ''), auth: auth?.replace(/\/$/, '') ?? '', ...sites })
}

/** Writes the reports as JSON and as the printed tables. */
function writeReport(folder: string, report: Report): void {
  const directory = resolve(root, folder)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${report.name}.json`), `${JSON.stringify(report, undefined, 2)}\n`)
  writeFileSync(join(directory, `${report.name}.md`), `${formatReport(report)}\n`)
}
