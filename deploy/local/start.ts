import { parseArgs } from 'node:util'
import { SetupError } from '#local'
import { ConfigError } from '#runtime'
import { listenForInterruption, rejectOnAbort } from './interruption.ts'
import { createStep } from './progress.ts'
import { services } from './services.ts'
import { readSettings } from './settings.ts'
import { startAll } from './start-all.ts'
import { supervise } from './supervise.ts'

/** `npm start`, and with `--watch` `npm run dev`: starts everything on this machine. */
const options = { watch: { type: 'boolean', default: false }, inspect: { type: 'string' } } as const

const interruption = listenForInterruption()
const stack = new AsyncDisposableStack()
const supervision = supervise(stack)
try {
  const { watch, inspect } = parseArgs({ options }).values
  const names = services.flat().map(({ name }) => name)
  if (inspect !== undefined && !names.includes(inspect))
    throw new SetupError(`There is no service ${inspect}. Use one of ${names.join(', ')}.`)
  const step = createStep(interruption)
  await startAll(readSettings(process.env), { stack, supervision, step, interruption, watch, inspect })
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

/** Errors whose message is enough without a stack trace, such as an unknown option, a full disk or a file of another user. */
function isExpected(error: unknown): error is Error {
  if (error instanceof SetupError || error instanceof ConfigError) return true
  return (
    error instanceof Error && ('syscall' in error || String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS'))
  )
}
