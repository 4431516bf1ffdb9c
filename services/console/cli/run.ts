import { CommanderError } from 'commander'
import { completionsOf } from './completion.ts'
import { exitCodes } from './exit-codes.ts'
import { Ended, Failure } from './failure.ts'
import type { Io } from './io.ts'
import { programOf } from './program.ts'

/**
 * Runs the command line.
 *
 * @param args without Node and script
 * @returns the exit code, one of `exit_codes`
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const program = programOf(io)
  if (args[0] === 'complete') {
    io.print(
      completionsOf(program, args.slice(1))
        .map((word) => `${word}\n`)
        .join(''),
    )
    return exitCodes.done.code
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done.code
  } catch (error) {
    if (error instanceof Ended) return exitCodes[error.exit].code
    // Commander has said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done.code : exitCodes.usage.code
    if (!(error instanceof Failure)) {
      io.complain(`social-login: this should not happen. ${error instanceof Error ? error.stack : String(error)}\n`)
      return exitCodes.failed.code
    }
    io.complain(`social-login: ${error.message}\n`)
    return exitCodes[error.exit].code
  }
}
