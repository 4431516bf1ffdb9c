import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../../deploy/local/settings.ts'
import { drawBarChart } from './bar-chart.ts'
import { type BenchReport, profilesTitle, type TargetFigure } from './bench-report.ts'
import { formatPart, isMet } from './format.ts'
import { describeRun, formatAllTargets, type RunFacts } from './format-run.ts'

const page = join(root, 'docs/operate/performance.md')
const pictures = join(root, 'docs/operate/performance')

/** Writes docs/operate/performance.md and its charts from the figures of a run. */
export function writePage(facts: RunFacts, reports: readonly BenchReport[]): void {
  rmSync(pictures, { recursive: true, force: true })
  mkdirSync(pictures, { recursive: true })
  for (const chart of reports.flatMap(({ charts }) => charts))
    writeFileSync(join(pictures, `${chart.name}.svg`), drawBarChart(chart))
  writeFileSync(page, formatPage(facts, reports))
}

/** The page, without its charts' files. */
export function formatPage(facts: RunFacts, reports: readonly BenchReport[]): string {
  const sections = reports.map((report) =>
    formatPart(
      report,
      report.charts.map(({ name, title, unit }) => `![${title}: ${unit}](performance/${name}.svg)`),
    ),
  )
  return `${[introduction(facts), ...formatAllTargets(reports), ...describeMissed(reports), ...sections].join('\n\n')}\n`
}

function introduction(facts: RunFacts): string {
  return `# Performance
How much CPU time the service takes, in ratios to other ways to do the same work. A run of \`npm run bench\` writes this page.

${describeRun(facts)}

## Method
\`npm run bench -- --page\` in a clone measures everything on this page again; \`npm run bench -- --list\` shows its parts.

- **CPU time** is the time of all processes of an arm, including Postgres, Redis and NATS, per successful request. The load generator does not count. The consumption
  of the idle processes is subtracted.
- The other arms read the same rows with the same keys from the product's Postgres, and count in its Redis. They have a NATS of their own, without permissions.
- All arms run at the same time and stay warm. Load moves between them in slices, in the order A B B A. A ratio is computed for each block of slices; the tables show the
  geometric mean and the 95 % interval of the mean by bootstrap.
- **In flight** is the number of requests that are sent at once; each has its connection. A failed request ends the run.
- Pages of \`users\` at every depth are measured by \`npm run bench:users\` ([figures](../../loadtest/benchmarks/README.md#ten-million-users)), the counts of calls and statements by
  \`npm run bench:cost\` ([figures](capacity.md#measurements)).
- Other load on the machine changes absolute figures. Compare the ratios.

| Arm | What it is |
| --- | --- |
| ours | the product: one process of each service, as in production, with its key check, rate limit, logs, metrics and usage reports |
| stock chain | what an engineer writes with popular packages: Koa with @koa/router, rate-limiter-flexible on Redis, requests over NATS to two services, knex, and a pino log line |
| skeleton | the same hops in their leanest form: node:http, one Redis script, NATS, one prepared statement for each call; no checks, logs or metrics |`
}

/** The targets that the run did not meet, by profile with its largest owners of CPU time, or with their reason. */
function describeMissed(reports: readonly BenchReport[]): string[] {
  const missed = reports.flatMap(({ targets }) => targets).filter((target) => !isMet(target))
  if (missed.length === 0) return []
  const tables = reports.find(({ title }) => title === profilesTitle)?.tables ?? []
  const explain = ({ profile, reason }: TargetFigure) => {
    const rows = tables.find(({ head: [title] }) => profile !== undefined && title === profile)?.rows ?? []
    const largest = rows.slice(0, ownersNamed).map(([owner, share]) => `${owner} ${share}`)
    return largest.length === 0 ? reason : `CPU time of ${profile}: ${largest.join(', ')}`
  }
  const groups = [...Map.groupBy(missed, explain)].map(([why, targets]) => {
    return [targets.map(({ what }) => what).join('; '), ...(why === undefined ? [] : [why])].join('. ')
  })
  return [
    '## What is not better',
    `The targets that this run does not meet, with the largest parts of ${anchor}, or what else shows why.`,
    groups.map((group) => `- ${group}`).join('\n'),
  ]
}

const ownersNamed = 5
const anchor = `[the profile](#${profilesTitle.toLowerCase().replaceAll(' ', '-')})`
