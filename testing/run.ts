import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensurePrograms, SetupError } from '#local'
import { createPaths } from '../deploy/local/paths.ts'
import { createStep } from '../deploy/local/progress.ts'
import { readSettings, root } from '../deploy/local/settings.ts'
import { buildPages, isStale } from '../services/console/web/build.ts'
import { describeHostileRun, startHostileMachine } from './hostile-machine/start.ts'

/**
 * `npm test [-- arguments of vitest]`: runs all tests on a real PostgreSQL, Redis, NATS and Chromium. Tests with PgBouncer,
 * with third-party clients and with Prometheus are skipped if those cannot be installed. `--hostile-machine [--seed <number>]`
 * makes bad luck likely.
 */
const { LOCAL_DIRECTORY } = readSettings(process.env)
const step = createStep(new AbortController().signal)
try {
  const log = createPaths(LOCAL_DIRECTORY).log('install')
  await step('Programs', (note) => ensurePrograms(['postgres', 'redis', 'nats', 'chromium'], { note, log }))
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exit(1)
}
for (const [title, ...names] of [
  ['Apache', 'apache'],
  ['Authlib', 'authlib'],
  ['Caddy', 'caddy'],
  ['PgBouncer', 'pgbouncer'],
  ['Prometheus', 'prometheus'],
  ['Exporters', 'postgres_exporter', 'redis_exporter', 'blackbox_exporter'],
] as const) {
  try {
    const log = createPaths(LOCAL_DIRECTORY).log(`install-${title.toLowerCase()}`)
    await step(title, (note) => ensurePrograms(names, { note, log }))
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(`Tests with ${title} are skipped. ${error.message}`)
  }
}

// Before all tests, because tests that need the pages run in parallel.
if (isStale()) await step('Console', buildPages)

const { seed, rest } = parseHostility(process.argv.slice(2))
const hostile = seed === undefined ? undefined : describeHostileRun(seed)
if (seed !== undefined) console.log(`Hostile machine, seed ${seed}`)
const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...(hostile?.arguments_ ?? []), ...rest], {
  stdio: 'inherit',
  env: { ...process.env, ...hostile?.environment },
})
const machine = seed !== undefined && vitest.pid !== undefined ? startHostileMachine(seed, vitest.pid) : undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
process.on('disconnect', () => vitest.kill('SIGTERM'))
vitest.on('exit', (code) => {
  if (machine !== undefined) console.log(machine.end())
  process.exit(code ?? 1)
})

/** `--hostile-machine [--seed <number>]`, and the arguments of vitest. */
function parseHostility(given: readonly string[]): { readonly seed?: number; readonly rest: readonly string[] } {
  if (!given.includes('--hostile-machine')) return { rest: given }
  const at = given.indexOf('--seed')
  const seed = at < 0 ? Math.floor(Math.random() * 2 ** 31) : Number(given[at + 1])
  const rest = given.filter(
    (argument, index) => argument !== '--hostile-machine' && (at < 0 || (index !== at && index !== at + 1)),
  )
  return { seed, rest }
}
