import { LocalFailure } from '#local'
import { ConfigError } from '#runtime'
import { bringUp } from './bring-up.ts'
import { interrupted, listenForInterruption } from './interruption.ts'
import { stepsUntil } from './progress.ts'
import { readSettings } from './settings.ts'

const interruption = listenForInterruption()
const untilInterrupted = new Promise<never>((_, reject) => {
  interruption.addEventListener('abort', () => reject(interrupted))
})
untilInterrupted.catch(() => {}) // it may come before it is waited for

const stack = new AsyncDisposableStack()
try {
  const { failure } = await bringUp(readSettings(process.env), { stack, interruption })
  await Promise.race([failure, untilInterrupted])
} catch (error) {
  if (error !== interrupted) {
    process.exitCode = 1
    const expected = error instanceof LocalFailure || error instanceof ConfigError
    console.error('\n%s\n', expected ? error.message : error)
  }
}
await stepsUntil(new AbortController().signal)('Stopping', () => stack.disposeAsync())
process.exit()
