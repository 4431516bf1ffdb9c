import { CommanderError } from 'commander'
import { completionsOf } from './completion.ts'
import { exit_codes } from './exit-codes.ts'
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
    return exit_codes.done.code
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exit_codes.done.code
  } catch (error) {
    if (error instanceof Ended) return exit_codes[error.exit].code
    // Commander has said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit_codes.done.code : exit_codes.usage.code
    if (!(error instanceof Failure)) {
      io.complain(`social-login: this should not happen. ${error instanceof Error ? error.stack : String(error)}\n`)
      return exit_codes.failed.code
    }
    io.complain(`social-login: ${error.message}\n`)
    return exit_codes[error.exit].code
  }
}
