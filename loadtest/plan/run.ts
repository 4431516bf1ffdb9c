import { parseArgs } from 'node:util'
import { z } from 'zod'
import { formatPlan } from './report.ts'

/** `npm run plan`: the size of an installation, and what breaks first. */
const usage = `Usage: npm run plan -- --users <number> --logins <per second> --requests <per second>
  --users           users of all sites
  --logins          logins per second at the peak
  --requests        requests of the Web API per second at the peak
  --postgres-cores  cores of the Postgres server (8)
  --max-connections of the Postgres server (500)
  --nats-cores      cores of a NATS server (4)
  --restorable-gb   the largest database that you can restore in time, in GB (500)`

const Positive = z.coerce.number().pipe(z.number().nonnegative())
const Options = z.strictObject({
  users: Positive,
  logins: Positive,
  requests: Positive,
  'postgres-cores': Positive.default(8),
  'max-connections': Positive.default(500),
  'nats-cores': Positive.default(4),
  'restorable-gb': Positive.default(500),
})

try {
  const options = Object.fromEntries(Object.keys(Options.shape).map((name) => [name, { type: 'string' as const }]))
  const { users, logins, requests, ...servers } = Options.parse(parseArgs({ options }).values)
  const plan = formatPlan(
    { users, logins, requests },
    {
      postgres_cores: servers['postgres-cores'],
      max_connections: servers['max-connections'],
      nats_cores: servers['nats-cores'],
      restorable_gb: servers['restorable-gb'],
    },
  )
  process.stdout.write(`${plan}\n`)
} catch (error) {
  process.exitCode = 1
  const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
  console.error('%s\n%s', problem, usage)
}
