import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startPostgres } from '#local'
import { count, duration } from '../../seed/progress.ts'
import { machineFacts } from '../../toolkit/machine-facts.ts'
import { createPageCases } from './cases.ts'
import { measure } from './measure.ts'
import { seededSite } from './seeded-site.ts'
import { startStage } from './stage.ts'
import { printTable } from './table.ts'
import { verify } from './verify.ts'

const usage = `Usage: node loadtest/benchmarks/users/run.ts [--users 200000] [--rounds 50] [--postgres-url postgres://…]
Without a superuser's URL a Postgres is started, and removed in the end. On a server of yours the database users_benchmark
is made, and used again by the next run for as many users.`

const Options = z.object({
  users: z.coerce.number().pipe(z.int().min(1_000)).default(200_000),
  rounds: z.coerce.number().pipe(z.int().min(1)).default(50),
  'postgres-url': z.url().optional(),
})

/** The tolerated ratio of the time of the last page to that of the first page, for every filter and both ways to the page. */
const allowedRatio = 1.5

const print = (line: string) => process.stdout.write(`${line}\n`)

async function run({ users, rounds, 'postgres-url': postgresUrl }: z.output<typeof Options>): Promise<boolean> {
  const began = performance.now()
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'users-benchmark-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const postgres = () => startPostgres({ directory: join(directory, 'postgres'), durable: false })
  const server = postgresUrl ?? stack.use(await postgres()).url
  const seeded = await seededSite(server, users, print)
  const stage = stack.use(await startStage(seeded, directory))

  const cases = await createPageCases(stage)
  print('Comparing totals with count(*) and pages with those of OFFSET …')
  const verified = await verify(stage, cases, seeded.database_url)
  print(`Measuring ${rounds} rounds of every request in turn …`)
  const measured = await measure(stage, cases, rounds)

  print(
    `\n${count(users)} users, ${rounds} rounds, one request at a time over HTTP (gateway, NATS, identity, Postgres)`,
  )
  print(`${machineFacts(verified.postgres)}\n`)
  print(printTable(cases, measured, verified))
  print(`\nAll of it took ${duration((performance.now() - began) / 1_000)}.`)
  const ratios = measured.flatMap(({ first, last_by_page, last_by_next_uri }) =>
    // Undefined if there is only one page.
    [last_by_page, last_by_next_uri].map(({ p50_ms }) => p50_ms / first.p50_ms).filter((ratio) => !Number.isNaN(ratio)),
  )
  const ratio = Math.max(...ratios)
  print(`Last page: at most ${ratio.toFixed(2)} × the first (allowed: ${allowedRatio}).`)
  print(verified.wrong.length === 0 ? 'Every total and page was exact.' : `NOT EXACT: ${verified.wrong.join('; ')}`)
  return ratio <= allowedRatio && verified.wrong.length === 0
}

try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { users: text, rounds: text, 'postgres-url': text } })
  if (!(await run(Options.parse(values)))) process.exitCode = 1
} catch (error) {
  if (error instanceof z.ZodError) process.stderr.write(`${usage}\n${z.prettifyError(error)}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
}
