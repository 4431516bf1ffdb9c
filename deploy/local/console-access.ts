import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from '#local'
import { root } from './settings.ts'
import type { Wiring } from './wiring.ts'

const run = promisify(execFile)

/** Access to the console for the developer and for scripts. */
export interface ConsoleAccess {
  /** A sign-in link that works once. */
  readonly console_sign_in: string
  /** A token with every permission for the Admin API and the command line, valid for a day. */
  readonly console_token: string
}

export async function createConsoleAccess(wiring: Wiring): Promise<ConsoleAccess> {
  const [consoleSignIn, consoleToken] = await Promise.all([
    firstLine('invite-operator.ts', ['--name', 'Operator', '--sign-in'], wiring),
    firstLine('issue-operator-token.ts', ['--name', 'npm start', '--days', '1'], wiring),
  ])
  return { console_sign_in: consoleSignIn, console_token: consoleToken }
}

/** Runs one of the console's operator commands and returns the first line that it prints. */
async function firstLine(script: string, given: string[], { database_urls, addresses }: Wiring): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [join(root, 'services/console', script), ...given], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATABASE_URL: database_urls.get('console'),
        CONSOLE_URL: addresses.console,
      },
    })
    const [line = ''] = stdout.split('\n', 1)
    return line
  } catch (cause) {
    throw new SetupError('Could not create access to the console. See its log for the cause.', { cause })
  }
}
