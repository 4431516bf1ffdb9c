import { CommanderError } from 'commander'
import { CliError, CliExit } from './cli-error.ts'
import { listCompletions } from './completion.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { createProgram } from './program.ts'

/**
 * Runs the command line.
 *
 * @param args without Node and script
 * @returns the exit code, one of `exitCodes`
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io)
  if (args[0] === 'complete') {
    io.print(
      listCompletions(program, args.slice(1))
        .map((word) => `${word}\n`)
        .join(''),
    )
    return exitCodes.done.code
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done.code
  } catch (error) {
    if (error instanceof CliExit) return exitCodes[error.exit].code
    // Commander has printed the error or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done.code : exitCodes.usage.code
    if (!(error instanceof CliError)) {
      io.printError(
        `social-login: unexpected error. Please report it. ${error instanceof Error ? error.stack : String(error)}\n`,
      )
      return exitCodes.failed.code
    }
    io.printError(`social-login: ${error.message}\n`)
    return exitCodes[error.exit].code
  }
}
