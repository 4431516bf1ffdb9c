import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../../deploy/local/settings.ts'
import type { BenchReport } from './bench-report.ts'
import { formatPart, isMet } from './format.ts'
import { describeRun, formatAllTargets, type RunFacts } from './format-run.ts'

const page = join(root, 'docs/operate/performance.md')

/** Writes docs/operate/performance.md from the figures of a run. */
export function writePage(facts: RunFacts, reports: readonly BenchReport[]): void {
  writeFileSync(page, formatPage(facts, reports))
}

export function formatPage(facts: RunFacts, reports: readonly BenchReport[]): string {
  const sections = [...formatAllTargets(reports), ...describeMissed(reports), ...reports.map(formatPart)]
  return `${[introduction(facts), ...sections].join('\n\n')}\n`
}

function introduction(facts: RunFacts): string {
  return `# Performance
How much CPU time the service takes, in ratios to other ways to do the same work. A run of \`npm run bench\` writes this page.

${describeRun(facts)}

## Method
\`npm run bench -- --page\` in a clone measures everything on this page again; \`npm run bench -- --list\` shows its parts.

- **CPU time** is the time of all processes of an arm, including Postgres, Redis and NATS, per successful request. The load generator does not count. The consumption
  of the idle processes is subtracted.
- All arms run at the same time and stay warm. Load moves between them in slices, in the order A B B A. A ratio is computed for each block of slices; the tables show the
  geometric mean and the 95 % interval of the mean by bootstrap.
- **In flight** is the number of requests that are sent at once; each has its connection. A failed request ends the run.
- Pages of \`users\` at every depth are measured by \`npm run bench:users\` ([figures](../../loadtest/benchmarks/README.md#ten-million-users)), the counts of calls and statements by
  \`npm run bench:cost\` ([figures](capacity.md#measurements)).
- Other load on the machine changes absolute figures. Compare the ratios.
- Comparisons with a stock chain of packages, with the leanest form of the same hops, of replicas, rejections and memory are in
  [decision 0052](../build/decisions/0052-comparisons-that-have-served.md).`
}

/** The targets that the run did not meet, with their reasons. */
function describeMissed(reports: readonly BenchReport[]): string[] {
  const missed = reports.flatMap(({ targets }) => targets).filter((target) => !isMet(target))
  if (missed.length === 0) return []
  const lines = missed.map(({ what, reason }) => `- ${[what, reason].filter((text) => text !== undefined).join('. ')}`)
  return ['## What is not better', 'The targets that this run does not meet.', lines.join('\n')]
}
