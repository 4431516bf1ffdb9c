import { LocalFailure } from '#local'
import { ConfigError } from '#runtime'
import { bringUp } from './bring-up.ts'
import { listenForInterruption, untilAborted } from './interruption.ts'
import { stepsUntil } from './progress.ts'
import { readSettings } from './settings.ts'
import { supervise } from './supervise.ts'

const interruption = listenForInterruption()
const stack = new AsyncDisposableStack()
const supervision = supervise(stack)
try {
  const step = stepsUntil(interruption)
  await bringUp(readSettings(process.env), { stack, supervision, step, interruption })
  await Promise.race([supervision.failure, untilAborted(interruption)])
} catch (error) {
  if (!interruption.aborted) {
    process.exitCode = 1
    console.error('\n%s\n', isExpected(error) ? error.message : error)
  }
}
if (supervision.empty()) await stack.disposeAsync()
else await stepsUntil(new AbortController().signal)('Stopping', () => stack.disposeAsync())
process.exit()

/** Of what the person or the machine is the cause, the sentence is enough: among them a full disk, or a file of another user. */
function isExpected(error: unknown): error is Error {
  return error instanceof LocalFailure || error instanceof ConfigError || (error instanceof Error && 'syscall' in error)
}
