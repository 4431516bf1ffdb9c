import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensurePrograms, LocalFailure } from '#local'
import { placesIn } from './places.ts'
import { stepsUntil } from './progress.ts'
import { readSettings, root } from './settings.ts'

/**
 * `npm test [-- arguments of vitest]`: every test on a real PostgreSQL, Redis, NATS and Chromium of its own. Tests of Apache
 * as a client are skipped where it cannot be installed.
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
try {
  const log = placesIn(LOCAL_DIRECTORY).log('install-apache')
  await step('Apache', (note) => ensurePrograms(['apache'], { note, log }))
} catch (error) {
  if (!(error instanceof LocalFailure)) throw error
  console.error(`Tests with Apache as a client are skipped. ${error.message}`)
}

const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
process.on('disconnect', () => vitest.kill('SIGTERM'))
vitest.on('exit', (code) => process.exit(code ?? 1))
