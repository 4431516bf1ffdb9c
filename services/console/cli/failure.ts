import type { ExitName } from './exit-codes.ts'

/** An end that a person can do something about: the message says what is wrong and what to do. */
export class Failure extends Error {
  readonly exit: ExitName
  /** The request may have been carried out all the same: its answer never came. */
  readonly outcomeUnknown: boolean

  constructor(exit: ExitName, message: string, options: ErrorOptions & { outcome_unknown?: boolean } = {}) {
    super(message, options)
    this.name = 'Failure'
    this.exit = exit
    this.outcomeUnknown = options.outcome_unknown ?? false
  }
}

/** An end with all said: the exit code is what remains to be told. */
export class Ended extends Error {
  readonly exit: ExitName

  constructor(exit: ExitName) {
    super(exit)
    this.exit = exit
  }
}
