import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensurePrograms, SetupError } from '#local'
import { buildPages, isStale } from '../../services/console/web/build.ts'
import { createPaths } from './paths.ts'
import { createStep } from './progress.ts'
import { readSettings, root } from './settings.ts'

/**
 * `npm test [-- arguments of vitest]`: runs all tests on a real PostgreSQL, Redis, NATS and Chromium. Tests with PgBouncer,
 * with third-party clients and with Prometheus are skipped if those cannot be installed.
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

const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
process.on('disconnect', () => vitest.kill('SIGTERM'))
vitest.on('exit', (code) => process.exit(code ?? 1))
