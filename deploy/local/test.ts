import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensurePrograms, LocalFailure } from '#local'
import { buildPages, isStale } from '../../services/console/web/build.ts'
import { placesIn } from './places.ts'
import { stepsUntil } from './progress.ts'
import { readSettings, root } from './settings.ts'

/**
 * `npm test [-- arguments of vitest]`: every test on a real PostgreSQL, Redis, NATS and Chromium of its own. Tests of clients
 * that are not ours, and of rules and dashboards with Prometheus, are skipped where those cannot be installed.
 */
const { LOCAL_DIRECTORY } = readSettings(process.env)
const step = stepsUntil(new AbortController().signal)
try {
  const log = placesIn(LOCAL_DIRECTORY).log('install')
  await step('Programs', (note) => ensurePrograms(['postgres', 'redis', 'nats', 'chromium'], { note, log }))
} catch (error) {
  if (!(error instanceof LocalFailure)) throw error
  console.error(error.message)
  process.exit(1)
}
for (const [title, ...names] of [
  ['Apache', 'apache'],
  ['Authlib', 'authlib'],
  ['Prometheus', 'prometheus'],
  ['Exporters', 'postgres_exporter', 'redis_exporter', 'blackbox_exporter'],
] as const) {
  try {
    const log = placesIn(LOCAL_DIRECTORY).log(`install-${title.toLowerCase()}`)
    await step(title, (note) => ensurePrograms(names, { note, log }))
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error
    console.error(`Tests with ${title} are skipped. ${error.message}`)
  }
}

// Before all tests, for those that need the pages run side by side.
if (isStale()) await step('Console', buildPages)

const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
process.on('disconnect', () => vitest.kill('SIGTERM'))
vitest.on('exit', (code) => process.exit(code ?? 1))
