import type { ExitName } from './exit-codes.ts'

/** An expected error. The message says what happened, why, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: ExitName
  /** The change may have been made, because no response was received. */
  readonly isOutcomeUnknown: boolean

  constructor(exit: ExitName, message: string, options: ErrorOptions & { outcome_unknown?: boolean } = {}) {
    super(message, options)
    this.exit = exit
    this.isOutcomeUnknown = options.outcome_unknown ?? false
  }
}

/** Ends the command with an exit code, without a message. */
export class CliExit extends Error {
  override readonly name = 'CliExit'
  readonly exit: ExitName

  constructor(exit: ExitName) {
    super(exit)
    this.exit = exit
  }
}
