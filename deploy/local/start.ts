import { SetupError } from '#local'
import { ConfigError } from '#runtime'
import { listenForInterruption, rejectOnAbort } from './interruption.ts'
import { createStep } from './progress.ts'
import { readSettings } from './settings.ts'
import { startAll } from './start-all.ts'
import { supervise } from './supervise.ts'

const interruption = listenForInterruption()
const stack = new AsyncDisposableStack()
const supervision = supervise(stack)
try {
  const step = createStep(interruption)
  await startAll(readSettings(process.env), { stack, supervision, step, interruption })
  await Promise.race([supervision.failure, rejectOnAbort(interruption)])
} catch (error) {
  if (!interruption.aborted) {
    process.exitCode = 1
    console.error('\n%s\n', isExpected(error) ? error.message : error)
  }
}
if (supervision.isEmpty()) await stack.disposeAsync()
else await createStep(new AbortController().signal)('Stopping', () => stack.disposeAsync())
process.exit()

/** Errors whose message is enough without a stack trace, such as a full disk or a file of another user. */
function isExpected(error: unknown): error is Error {
  return error instanceof SetupError || error instanceof ConfigError || (error instanceof Error && 'syscall' in error)
}
